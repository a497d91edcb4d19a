-- +goose Up

-- A game's past that was brought in from files. id is a digest of what they
-- hold, so that the same files are known again, whatever they are called.
CREATE TABLE imports (
    id          text COLLATE "C" PRIMARY KEY,
    files       text        NOT NULL,
    begun_at    timestamptz NOT NULL,
    finished_at timestamptz -- NULL: it was cut off, or is at work
);

-- How far an import is with each day: players in the order of their ids, the
-- last one that is in. It moves with the rows themselves, so that a day which is
-- added up with what the archive had is added up once.
CREATE TABLE imported_days (
    import  text COLLATE "C" NOT NULL REFERENCES imports ON DELETE CASCADE,
    mode    text COLLATE "C" NOT NULL,
    date    date             NOT NULL,
    through text COLLATE "C" NOT NULL DEFAULT '',
    done    boolean          NOT NULL DEFAULT false,
    PRIMARY KEY (import, mode, date)
);
