-- +goose Up

-- What each submission did, in games with an audit. By months of when Redis took it;
-- what no month's table takes stays in the default one until it has its own.
CREATE TABLE score_audit (
    at        timestamptz      NOT NULL, -- when Redis took it, to a millisecond
    n         bigint           NOT NULL, -- orders those of one millisecond
    mode      text COLLATE "C" NOT NULL,
    date      date             NOT NULL,
    player    text COLLATE "C" NOT NULL, -- a digest once erased
    stored    double precision NOT NULL, -- what was sent, with the tie fraction
    stood     double precision,          -- before it; NULL: nothing, or not known
    stands    double precision,          -- after it; NULL: nothing, or not known
    outcome   text             NOT NULL CHECK (outcome IN ('accepted', 'improved', 'kept', 'replayed', 'refused', 'unknown')),
    sent_by   text,                      -- the kind of credential; NULL: not known
    played_at timestamptz      NOT NULL,
    once      text COLLATE "C",          -- of sums: what tells repetitions apart
    PRIMARY KEY (mode, date, at, n)
) PARTITION BY RANGE (at);

CREATE INDEX score_audit_player ON score_audit (player, date, mode, at, n);
CREATE INDEX score_audit_once ON score_audit (once) WHERE once IS NOT NULL;

CREATE TABLE score_audit_default PARTITION OF score_audit DEFAULT;

-- The tables of months that ended more than some months ago. By Postgres' own clock none
-- does that is not as old.
CREATE FUNCTION expired_score_audit(today date, months integer) RETURNS SETOF text
LANGUAGE sql AS $$
    SELECT relname FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
    WHERE inhparent = 'score_audit'::regclass AND relname ~ '^score_audit_\d{4,}_\d\d$'
      AND to_date(substr(relname, 13), 'YYYY_MM') < date_trunc('month', least(today, now() AT TIME ZONE 'UTC')) - make_interval(months => months)
$$;

-- Of the months from one date to another those that have no table.
CREATE FUNCTION missing_score_audit(first date, last date) RETURNS SETOF date
LANGUAGE sql AS $$
    SELECT month::date FROM generate_series(date_trunc('month', first::timestamp), last::timestamp, interval '1 month') AS month
    WHERE NOT EXISTS (SELECT FROM pg_class WHERE relname = 'score_audit_' || to_char(month, 'YYYY_MM')
          AND relnamespace = (SELECT relnamespace FROM pg_class WHERE oid = 'score_audit'::regclass))
$$;

-- +goose StatementBegin
-- Drops the tables of months that are too old, makes those that are missing from today's
-- month to a last one, and those of which the default table has rows, which move to them.
-- Whoever records or reads waits meanwhile: call it where there is something to do.
CREATE FUNCTION tend_score_audit(today date, last date, months integer) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    name  text;
    month date;
    first timestamptz;
    after timestamptz;
BEGIN
    LOCK TABLE score_audit IN ACCESS EXCLUSIVE MODE;
    FOR name IN SELECT expired_score_audit(today, months) LOOP
        EXECUTE format('DROP TABLE %I', name);
    END LOOP;
    DELETE FROM score_audit_default
    WHERE at < (date_trunc('month', least(today, now() AT TIME ZONE 'UTC')) - make_interval(months => months)) AT TIME ZONE 'UTC';
    FOR month IN
        SELECT missing_score_audit(today, last)
        UNION SELECT DISTINCT date_trunc('month', at AT TIME ZONE 'UTC')::date FROM score_audit_default
    LOOP
        name := 'score_audit_' || to_char(month, 'YYYY_MM');
        first := month::timestamp AT TIME ZONE 'UTC';
        after := (month + interval '1 month') AT TIME ZONE 'UTC';
        EXECUTE format('CREATE TABLE %I (LIKE score_audit INCLUDING ALL)', name);
        EXECUTE format('WITH moved AS (DELETE FROM score_audit_default WHERE at >= $1 AND at < $2 RETURNING *)
                        INSERT INTO %I SELECT * FROM moved', name) USING first, after;
        EXECUTE format('ALTER TABLE score_audit ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', name, first, after);
    END LOOP;
END
$$;
-- +goose StatementEnd

-- What took a player's scores away, which the record has to know.
CREATE INDEX audit_removals ON audit (player) WHERE action IN ('ban', 'delete_result');
