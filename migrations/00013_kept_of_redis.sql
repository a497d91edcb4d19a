-- +goose Up

-- Devices that players have claimed. Both are known by the digests that Redis
-- knows them by, so that a claim outlives the player's being erased.
CREATE TABLE claims (
    device     text COLLATE "C" PRIMARY KEY,
    player     text COLLATE "C" NOT NULL,
    claimed_at timestamptz      NOT NULL,
    -- What became of each day, as Redis has it: mode:date to a record.
    days       jsonb            NOT NULL DEFAULT '{}'
);

CREATE INDEX claims_player ON claims (player);

-- Which groups players belong to. A membership has one life: once it has ended,
-- nothing that is told late brings it back.
CREATE TABLE memberships (
    membership text COLLATE "C" PRIMARY KEY, -- a digest
    player     text COLLATE "C" NOT NULL,
    group_id   text COLLATE "C" NOT NULL,
    ended_at   timestamptz
);

CREATE INDEX memberships_player ON memberships (player);

-- Duels under way: challenges, and those that wait for a result or are disputed.
CREATE TABLE open_duels (
    id         text COLLATE "C" PRIMARY KEY,
    state      text             NOT NULL CHECK (state IN ('waiting', 'ready', 'disputed')),
    a          text COLLATE "C" NOT NULL,
    b          text COLLATE "C" NOT NULL, -- empty: anybody may accept
    mode       text COLLATE "C" NOT NULL DEFAULT '',
    created_at timestamptz      NOT NULL,
    until      timestamptz      NOT NULL,
    k          double precision NOT NULL,
    reports    jsonb            NOT NULL DEFAULT '[null, null]'
);

-- What Redis knew of a player beyond the duels that are here, when these were
-- brought back after a loss: as if one duel before all others had made it.
CREATE TABLE duels_carried (
    player text COLLATE "C" PRIMARY KEY,
    rating double precision, -- with which the others began; null: as they say
    xp     bigint NOT NULL,
    begun  bigint NOT NULL   -- how many duels it stands for
);

-- How far each kind of what Redis has of players has been brought here. A
-- database that is lost and made anew has done nothing: so it is filled again.
CREATE TABLE refills (
    kind     text COLLATE "C" PRIMARY KEY,
    cursor   text        NOT NULL DEFAULT '',
    begun_at timestamptz NOT NULL DEFAULT now(),
    done_at  timestamptz
);

-- What was kept here all along need not be read once more.
INSERT INTO refills (kind, done_at) VALUES
    ('bans', NULL), ('claims', NULL), ('memberships', NULL),
    ('profiles', CASE WHEN EXISTS (SELECT FROM profiles) THEN now() END),
    ('friends', CASE WHEN EXISTS (SELECT FROM friend_pairs) THEN now() END),
    ('duels', CASE WHEN EXISTS (SELECT FROM duels) THEN now() END);

-- +goose StatementBegin
-- What Redis knows a banned player by.
CREATE FUNCTION ban_member(player text) RETURNS text
LANGUAGE sql IMMUTABLE AS $$
    SELECT left(encode(sha256(convert_to(player, 'UTF8')), 'hex'), 32)
$$;
-- +goose StatementEnd

-- Bans that Redis alone knew have nothing else: then player is the same.
ALTER TABLE bans ADD COLUMN member text COLLATE "C" UNIQUE;
UPDATE bans SET member = ban_member(player) WHERE player NOT LIKE 'erased:%';

-- +goose StatementBegin
-- A number for the lists of a player, more than any before, of this database or
-- of one that was lost or is older now: Redis takes no older list.
CREATE FUNCTION friend_version(before bigint) RETURNS bigint
LANGUAGE sql VOLATILE AS $$
    SELECT greatest(nextval('friend_versions'), before + 1, (extract(epoch FROM clock_timestamp()) * 1000)::bigint)
$$;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE OR REPLACE FUNCTION friend_put(was friend_pairs, pair friend_pairs) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    IF pair.friends OR pair.low_asks OR pair.high_asks OR pair.low_blocks OR pair.high_blocks THEN
        INSERT INTO friend_pairs SELECT (pair).*
        ON CONFLICT (low, high) DO UPDATE
        SET friends = excluded.friends, low_asks = excluded.low_asks, high_asks = excluded.high_asks,
            low_blocks = excluded.low_blocks, high_blocks = excluded.high_blocks, since = excluded.since;
    ELSE
        DELETE FROM friend_pairs WHERE low = pair.low AND high = pair.high;
    END IF;
    UPDATE friend_players SET
        version = friend_version(version),
        friends = friends + pair.friends::int - was.friends::int,
        asked = asked + CASE WHEN player = pair.low THEN pair.low_asks::int - was.low_asks::int
                                                    ELSE pair.high_asks::int - was.high_asks::int END,
        blocked = blocked + CASE WHEN player = pair.low THEN pair.low_blocks::int - was.low_blocks::int
                                                        ELSE pair.high_blocks::int - was.high_blocks::int END
    WHERE player IN (pair.low, pair.high);
END
$$;
-- +goose StatementEnd

-- +goose StatementBegin
-- Takes the lists that Redis has of a player into what is missing here, and tells
-- how many pairs have come. Who has changed their lists since they were copied
-- is known better here, and so is what is between two players already. The
-- version does not change: Redis has these lists.
CREATE FUNCTION friend_refill(me text, copied_version bigint, friend_ids text[], blocked_ids text[], at timestamptz) RETURNS int
LANGUAGE plpgsql AS $$
DECLARE
    id     text;
    my     friend_players;
    theirs friend_players;
    pair   friend_pairs;
    low_id text;
    high_id text;
    i_am_low boolean;
    come   int := 0;
BEGIN
    IF erased_since(me, at) THEN RETURN 0; END IF;
    -- All rows, in the order of ids.
    FOR id IN SELECT DISTINCT o COLLATE "C" FROM unnest(array_append(friend_ids || blocked_ids, me)) AS o ORDER BY 1 LOOP
        INSERT INTO friend_players AS p (player) VALUES (id) ON CONFLICT (player) DO UPDATE SET player = p.player;
    END LOOP;
    SELECT * INTO my FROM friend_players WHERE player = me;
    IF my.version > copied_version THEN RETURN 0; END IF;
    UPDATE friend_players SET version = copied_version, copied = copied_version WHERE player = me;
    FOREACH id IN ARRAY friend_ids || blocked_ids LOOP
        i_am_low := me COLLATE "C" < id COLLATE "C";
        low_id := least(me COLLATE "C", id COLLATE "C");
        high_id := greatest(me COLLATE "C", id COLLATE "C");
        SELECT * INTO pair FROM friend_pairs WHERE low = low_id AND high = high_id;
        IF id = ANY (friend_ids) THEN
            CONTINUE WHEN FOUND OR erased_since(id, at);
            SELECT * INTO my FROM friend_players WHERE player = me;
            SELECT * INTO theirs FROM friend_players WHERE player = id;
            CONTINUE WHEN my.friends >= 500 OR theirs.friends >= 500;
            INSERT INTO friend_pairs (low, high, friends, since) VALUES (low_id, high_id, true, at);
            UPDATE friend_players SET friends = friends + 1 WHERE player IN (me, id);
        ELSE
            CONTINUE WHEN FOUND AND (pair.friends OR CASE WHEN i_am_low THEN pair.low_asks OR pair.low_blocks
                                                                      ELSE pair.high_asks OR pair.high_blocks END);
            SELECT * INTO my FROM friend_players WHERE player = me;
            CONTINUE WHEN my.blocked >= 500;
            INSERT INTO friend_pairs AS p (low, high, low_blocks, high_blocks, since) VALUES (low_id, high_id, i_am_low, NOT i_am_low, at)
            ON CONFLICT (low, high) DO UPDATE SET low_blocks = p.low_blocks OR excluded.low_blocks, high_blocks = p.high_blocks OR excluded.high_blocks;
            UPDATE friend_players SET blocked = blocked + 1 WHERE player = me;
        END IF;
        come := come + 1;
    END LOOP;
    RETURN come;
END
$$;
-- +goose StatementEnd
