-- Whoever writes past the client cannot make what colleagues read large: `limits.ts` has the same limits for what is read.
-- Rows of before stay, and are passed over where they are read.

ALTER TABLE turns ADD CONSTRAINT turns_size CHECK (
  octet_length(full_text) <= 32000000 AND length(full_text) <= 8000000
  AND octet_length(tool_summary) <= 8000000 AND octet_length(parts) <= 8000000 AND octet_length(failures) <= 8000000
  AND octet_length(concat(session_id, role, origin, agent_id, created_at, ended_at, branch, model, client_version, prompt_uuid)) <= 100000
) NOT VALID;

ALTER TABLE chunks ADD CONSTRAINT chunks_size CHECK (octet_length(content) <= 1000000) NOT VALID;

ALTER TABLE sessions ADD CONSTRAINT sessions_size CHECK (
  octet_length(first_prompt) <= 8000000 AND octet_length(title) <= 100000
  AND octet_length(concat(client, title_source, branch, started_at, ended_at)) <= 100000
) NOT VALID;

ALTER TABLE subagent_sessions ADD CONSTRAINT subagent_sessions_size CHECK (
  octet_length(task) <= 8000000 AND octet_length(agent_type) <= 100000
) NOT VALID;

ALTER TABLE commits ADD CONSTRAINT commits_size CHECK (
  octet_length(hash) <= 1000 AND octet_length(message) <= 1000000
) NOT VALID;

ALTER TABLE pr_links ADD CONSTRAINT pr_links_size CHECK (
  octet_length(concat(pr_url, pr_repository, timestamp)) <= 100000
) NOT VALID;

-- An index compresses what it holds: a key of zeros may have 250,000 bytes. A client writes 16 bytes.
ALTER TABLE turns ADD CONSTRAINT turn_key_size CHECK (octet_length(turn_key) <= 32) NOT VALID;
ALTER TABLE changes ADD CONSTRAINT turn_key_size CHECK (octet_length(turn_key) <= 32) NOT VALID;
ALTER TABLE tombstones ADD CONSTRAINT turn_key_size CHECK (octet_length(turn_key) <= 32) NOT VALID;
