-- +goose Up

-- Every submission of the games that want each one kept at once, as it came
-- out of the stream.
CREATE TABLE submissions (
    mode      text COLLATE "C" NOT NULL,
    date      date             NOT NULL,
    stream_id text COLLATE "C" NOT NULL CHECK (octet_length(stream_id) <= 41 AND stream_id ~ '^[0-9]+-[0-9]+$'),
    player    text COLLATE "C" NOT NULL,
    stored    double precision NOT NULL CHECK (abs(stored) <= 9007199254740992),
    scopes    text[] COLLATE "C",
    details   json,
    at        timestamptz      NOT NULL,
    PRIMARY KEY (mode, date, stream_id)
);

CREATE INDEX submissions_player ON submissions (player);
