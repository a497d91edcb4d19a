-- +goose Up

-- Plays that an operator has to look at, and those that one has decided about.
CREATE TABLE held_plays (
    id      text COLLATE "C" PRIMARY KEY,
    player  text COLLATE "C" NOT NULL,
    mode    text COLLATE "C" NOT NULL,
    date    date             NOT NULL,
    record  text             NOT NULL, -- as Redis has it
    held_at timestamptz      NOT NULL, -- when it was played
    decided boolean          NOT NULL  -- passed or dropped: it waits no more
);

CREATE INDEX held_plays_player ON held_plays (player);
CREATE INDEX held_plays_held_at ON held_plays (held_at, id);
