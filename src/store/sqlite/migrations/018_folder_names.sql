-- This device, as its manifests name it.
ALTER TABLE folder ADD COLUMN device_id TEXT NOT NULL DEFAULT '';
ALTER TABLE folder ADD COLUMN device_name TEXT NOT NULL DEFAULT '';

-- What each device is called in lists. Machines may have one name: then the start of the device's id keeps them apart.
CREATE VIEW folder_names AS
  WITH known AS (
    SELECT writer, device_id, name FROM folder_writers
    UNION ALL SELECT writer, device_id, device_name FROM folder WHERE device_name <> ''
  )
  SELECT writer, CASE WHEN EXISTS (SELECT 1 FROM known o WHERE o.name = k.name AND o.device_id <> k.device_id)
      THEN name || ' (' || substr(device_id, 1, 6) || ')' ELSE name END AS name
  FROM known k;
