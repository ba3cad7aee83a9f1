-- Counts and lists of main conversations read no row of a turn, which may be long.
CREATE INDEX main_turns_by_time ON turns(created_at) WHERE agent_id IS NULL AND NOT is_sidechain;
