-- +goose Up

-- Seasons are the game file's: the days of one stand with its snapshot, so that the
-- snapshot is known to be stale when a result of one of them is removed.
ALTER TABLE leaderboard_snapshots
    ADD COLUMN first_day date,
    ADD COLUMN last_day date,
    DROP CONSTRAINT leaderboard_snapshots_period_check,
    ADD CONSTRAINT leaderboard_snapshots_period_check CHECK (period IN ('week', 'month', 'season')),
    ADD CONSTRAINT leaderboard_snapshots_season_check CHECK (period <> 'season' OR first_day <= last_day);

ALTER TABLE achievements
    DROP CONSTRAINT achievements_period_check,
    ADD CONSTRAINT achievements_period_check CHECK (period IN ('week', 'month', 'season'));
