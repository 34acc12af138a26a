"""The gradebook's tables; each step takes a gradebook from one version to the next."""

import sqlite3

STEPS = (
    """
    CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
    CREATE TABLE sources (sha256 TEXT PRIMARY KEY, source BLOB NOT NULL) STRICT;
    CREATE TABLE deliveries (
        id INTEGER PRIMARY KEY, assignment TEXT NOT NULL, student TEXT NOT NULL, digest TEXT NOT NULL,
        submitted TEXT, collected TEXT NOT NULL,
        UNIQUE (assignment, student, digest)
    ) STRICT;
    CREATE TABLE answers (
        id INTEGER PRIMARY KEY, delivery INTEGER NOT NULL REFERENCES deliveries ON DELETE CASCADE,
        problem INTEGER NOT NULL, path TEXT NOT NULL, content TEXT NOT NULL, refused TEXT,
        UNIQUE (delivery, problem)
    ) STRICT;
    CREATE TABLE results (
        key TEXT PRIMARY KEY, content TEXT NOT NULL, basis TEXT NOT NULL, report TEXT NOT NULL, graded TEXT NOT NULL
    ) STRICT;
    CREATE TABLE adopted (
        id INTEGER PRIMARY KEY, answer INTEGER NOT NULL REFERENCES answers ON DELETE CASCADE,
        key TEXT NOT NULL REFERENCES results, reason TEXT NOT NULL, time TEXT NOT NULL
    ) STRICT;
    CREATE INDEX answers_by_delivery ON answers (delivery);
    CREATE INDEX adopted_by_answer ON adopted (answer);
    """,
    """
    CREATE TABLE faults (
        key TEXT PRIMARY KEY, content TEXT NOT NULL, text TEXT NOT NULL, time TEXT NOT NULL
    ) STRICT;
    CREATE INDEX answers_by_content ON answers (content);
    """,
)
VERSION = len(STEPS)


def migrate(db: sqlite3.Connection) -> int:
    """Takes a gradebook to today's version, each step whole or not at all; returns the version that it had."""
    (had,) = db.execute("PRAGMA user_version").fetchone()
    for number in range(had, VERSION):
        db.executescript(f"BEGIN IMMEDIATE; {STEPS[number]} PRAGMA user_version = {number + 1}; COMMIT;")
    return int(had)
