-- A note that an agent wrote says so in its text and its origin; see `markAgentNotes`.
UPDATE turns SET origin = 'agent' WHERE origin = 'automated'
  AND session_id IN (SELECT session_id FROM sessions WHERE client = 'note');
UPDATE sessions SET first_prompt = '[Note by an agent] ' || first_prompt
  WHERE client = 'note' AND first_prompt IS NOT NULL
    AND session_id IN (SELECT session_id FROM turns WHERE origin = 'agent');
