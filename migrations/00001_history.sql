-- +goose Up

-- What stood on a day's boards, one row for each player. Every other board of
-- the past follows from these rows.
--
-- Ids and keys compare as bytes (COLLATE "C"), so that equal scores stand here
-- in the order in which Redis has them.
CREATE TABLE results (
    -- Length and characters are checked apart: a bounded repetition in a
    -- pattern costs 50 µs for each row.
    mode          text COLLATE "C" NOT NULL CHECK (octet_length(mode) <= 40 AND mode ~ '^[a-z][a-z0-9_]*$'),
    date          date             NOT NULL,
    player        text COLLATE "C" NOT NULL CHECK (octet_length(player) BETWEEN 1 AND 128 AND player !~ '[^A-Za-z0-9_.:@-]'),
    -- The score as Redis had it: the true score, scaled, and the tie fraction.
    -- The true score is floor(stored).
    stored        double precision NOT NULL CHECK (abs(stored) <= 9007199254740992),
    -- Boards besides the global one, as country:BR or group:x; NULL: none.
    scopes        text[] COLLATE "C" CHECK (cardinality(scopes) > 0),
    -- What stands on each of them, where one differs from stored.
    scoped_stored double precision[],
    details       json,
    PRIMARY KEY (player, date, mode),
    CHECK (scoped_stored IS NULL OR cardinality(scoped_stored) = coalesce(cardinality(scopes), 0))
) PARTITION BY RANGE (date);

-- A day's board, read in order from either end.
CREATE INDEX results_board ON results (mode, date, stored, player);

-- +goose StatementBegin
-- Makes the partition of one month, if there is none. The table is made aside
-- and attached, which does not wait for readers and writers of other months.
CREATE FUNCTION ensure_results_partition(day date) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
    first date := date_trunc('month', day)::date;
    name  text := 'results_' || to_char(first, 'YYYY_MM');
BEGIN
    IF to_regclass(name) IS NOT NULL THEN
        RETURN false;
    END IF;
    PERFORM pg_advisory_xact_lock(hashtext('ensure_results_partition'));
    -- Another session may have made it meanwhile: look in the catalog itself,
    -- since what to_regclass remembers is not renewed by waiting for a lock.
    PERFORM FROM pg_class WHERE relname = name AND relnamespace =
        (SELECT relnamespace FROM pg_class WHERE oid = 'results'::regclass);
    IF FOUND THEN
        RETURN false;
    END IF;
    EXECUTE format('CREATE TABLE %I (LIKE results INCLUDING ALL)', name);
    EXECUTE format('ALTER TABLE results ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)',
                   name, first, (first + interval '1 month')::date);
    RETURN true;
END
$$;
-- +goose StatementEnd

-- How far each day of a mode is in. A run that writes a day takes the next
-- number in begun, and every write of a run with an older number is refused.
CREATE TABLE archived_days (
    mode        text COLLATE "C" NOT NULL,
    date        date             NOT NULL,
    begun       bigint           NOT NULL DEFAULT 1 CHECK (begun > 0),
    finished    bigint           NOT NULL DEFAULT 0 CHECK (finished BETWEEN 0 AND begun),
    players     bigint           NOT NULL DEFAULT 0 CHECK (players >= 0),
    complete    boolean          NOT NULL DEFAULT false,
    archived_at timestamptz,
    PRIMARY KEY (mode, date)
);

-- The top of a closed week or month, as it was when it closed.
CREATE TABLE leaderboard_snapshots (
    mode       text COLLATE "C" NOT NULL,
    period     text             NOT NULL CHECK (period IN ('week', 'month')),
    period_key text COLLATE "C" NOT NULL,
    scope      text COLLATE "C" NOT NULL DEFAULT '' CHECK (scope <> 'global'),
    total      bigint           NOT NULL CHECK (total >= 0),
    -- [{"rank", "player", "score", "stored", "previous_rank"}], best first.
    entries    jsonb            NOT NULL CHECK (jsonb_typeof(entries) = 'array'),
    -- A result of the period has been removed since.
    stale      boolean          NOT NULL DEFAULT false,
    taken_at   timestamptz      NOT NULL,
    PRIMARY KEY (mode, period, period_key, scope)
);

-- The snapshots that show one player.
CREATE INDEX leaderboard_snapshots_players ON leaderboard_snapshots
    USING gin (jsonb_path_query_array(entries, '$[*].player') jsonb_path_ops);

CREATE TABLE achievements (
    mode       text COLLATE "C" NOT NULL,
    period     text             NOT NULL CHECK (period IN ('week', 'month')),
    period_key text COLLATE "C" NOT NULL,
    scope      text COLLATE "C" NOT NULL DEFAULT '',
    player     text COLLATE "C" NOT NULL,
    kind       text             NOT NULL CHECK (kind IN ('champion', 'podium', 'top10', 'top100')),
    rank       bigint           NOT NULL CHECK (rank > 0),
    awarded_at timestamptz      NOT NULL,
    PRIMARY KEY (mode, period, period_key, scope, player, kind)
);

CREATE INDEX achievements_player ON achievements (player);
