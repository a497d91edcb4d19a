-- +goose Up

-- Races that have started and are over.
CREATE TABLE races (
    id         text COLLATE "C" PRIMARY KEY CHECK (octet_length(id) BETWEEN 1 AND 128),
    state      text             NOT NULL CHECK (state IN ('decided', 'expired')),
    mode       text COLLATE "C" NOT NULL,
    size       bigint           NOT NULL,
    open       boolean          NOT NULL, -- whether the queue could bring players
    created_at timestamptz      NOT NULL,
    starts_at  timestamptz      NOT NULL,
    until      timestamptz      NOT NULL,
    decided_at timestamptz      NOT NULL
);

CREATE INDEX races_created ON races (created_at, id);

-- Their players, with what the race did to the ratings. A player who has been
-- erased is shown as "erased".
CREATE TABLE race_seats (
    race   text COLLATE "C" NOT NULL REFERENCES races,
    seat   bigint           NOT NULL, -- from 1
    player text COLLATE "C" NOT NULL,
    k      double precision NOT NULL,
    score  bigint,                    -- null: told none
    gave_up boolean         NOT NULL,
    place  bigint           NOT NULL, -- 0: no rating has moved
    before double precision NOT NULL,
    after  double precision NOT NULL,
    PRIMARY KEY (race, seat)
);

CREATE INDEX race_seats_player ON race_seats (player, race);
