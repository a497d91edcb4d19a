-- +goose Up

-- Weeks of leagues, by their Mondays: settled in their order, each once.
CREATE TABLE league_weeks (
    week       date PRIMARY KEY CHECK (extract(isodow FROM week) = 1),
    settled_at timestamptz
);

-- Who is in which cohort of a week, and when it is settled how it ended. Tiers, paces
-- and cohorts count from 0.
CREATE TABLE league_seats (
    week       date             NOT NULL REFERENCES league_weeks,
    player     text COLLATE "C" NOT NULL,
    tier       bigint           NOT NULL CHECK (tier >= 0),
    pace       bigint           NOT NULL CHECK (pace >= 0),
    cohort     bigint           NOT NULL CHECK (cohort >= 0),
    xp         bigint,                    -- null: not settled, as those that follow
    place      bigint,                    -- 1-based
    players    bigint,                    -- of the cohort
    zone       text CHECK (zone IN ('promotion', 'stay', 'relegation')),
    tier_after bigint,
    reward     text,                      -- empty: none
    PRIMARY KEY (player, week)
);

CREATE INDEX league_seats_week ON league_seats (week, tier, pace, cohort);
