-- +goose Up

-- Duels that are over, with what they did to the ratings. A player who has been
-- erased is shown as "erased".
CREATE TABLE duels (
    id         text COLLATE "C" PRIMARY KEY CHECK (octet_length(id) BETWEEN 1 AND 128),
    state      text             NOT NULL CHECK (state IN ('decided', 'disputed')),
    a          text COLLATE "C" NOT NULL,
    b          text COLLATE "C" NOT NULL,
    mode       text COLLATE "C" NOT NULL DEFAULT '',
    created_at timestamptz      NOT NULL,
    k          double precision NOT NULL,
    -- Who won: a, b, or - for a draw.
    winner     text CHECK (winner IN ('a', 'b', '-')),
    score_a    bigint,
    score_b    bigint,
    decided_by text             NOT NULL DEFAULT '',
    decided_at timestamptz,
    before_a   double precision NOT NULL DEFAULT 0,
    after_a    double precision NOT NULL DEFAULT 0,
    rank_a     bigint           NOT NULL DEFAULT 0,
    before_b   double precision NOT NULL DEFAULT 0,
    after_b    double precision NOT NULL DEFAULT 0,
    rank_b     bigint           NOT NULL DEFAULT 0,
    CHECK ((state = 'decided') = (winner IS NOT NULL AND decided_at IS NOT NULL)),
    CHECK ((score_a IS NULL) = (score_b IS NULL))
);

CREATE INDEX duels_a ON duels (a, created_at, id);
CREATE INDEX duels_b ON duels (b, created_at, id);
