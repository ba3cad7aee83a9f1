-- Authors who are no longer members of the team. Their turns stay, and no hook tells them.
CREATE TABLE team_former (author TEXT PRIMARY KEY) WITHOUT ROWID;
