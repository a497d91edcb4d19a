-- +goose Up

-- Days of groups whose acts are kept until the day is sealed: what players did, in
-- games with activity.
CREATE TABLE act_days (
    group_name text COLLATE "C" NOT NULL,
    date       date             NOT NULL,
    source     text             NOT NULL,           -- the Redis that they are of
    version    bigint           NOT NULL DEFAULT 0, -- grows with each write and each erasure
    acts       int              NOT NULL DEFAULT 0, -- how many there are at least
    PRIMARY KEY (date, group_name)
);

-- What is kept of them, in parts of at most 5,000 lines, which Postgres compresses.
CREATE TABLE act_parts (
    group_name text COLLATE "C" NOT NULL,
    date       date             NOT NULL,
    kind       text COLLATE "C" NOT NULL, -- 'acts': moment, id, type, players; 'streaks': length, player
    part       int              NOT NULL,
    digest     bytea            NOT NULL, -- of the lines as they were written
    players    int[]            NOT NULL, -- digests of those who are named, to find a player's
    lines      text COLLATE "C" NOT NULL,
    PRIMARY KEY (date, group_name, kind, part)
);
