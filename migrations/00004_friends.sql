-- +goose Up

-- Every change of what is between two players draws a number here, so that of
-- two copies of a player's lists the newer is known. It never goes back, not
-- even for a player who has been erased and comes again.
CREATE SEQUENCE friend_versions;

-- Who has ever had to do with anybody. The row is what changes are serialized
-- by: each locks those of both players, the lesser id first.
CREATE TABLE friend_players (
    player  text COLLATE "C" PRIMARY KEY,
    version bigint NOT NULL DEFAULT 0,
    -- The version that Redis is known to have; less: it has to be copied.
    copied  bigint NOT NULL DEFAULT 0,
    friends int    NOT NULL DEFAULT 0 CHECK (friends BETWEEN 0 AND 500),
    asked   int    NOT NULL DEFAULT 0 CHECK (asked BETWEEN 0 AND 500),
    blocked int    NOT NULL DEFAULT 0 CHECK (blocked BETWEEN 0 AND 500)
);

CREATE INDEX friend_players_uncopied ON friend_players (player) WHERE copied < version;

-- What is between two players, one row for both: so it cannot differ from
-- either side, and the checks make it impossible to be friends over a block.
CREATE TABLE friend_pairs (
    low         text COLLATE "C" NOT NULL REFERENCES friend_players ON DELETE CASCADE,
    high        text COLLATE "C" NOT NULL REFERENCES friend_players ON DELETE CASCADE,
    friends     boolean     NOT NULL DEFAULT false,
    low_asks    boolean     NOT NULL DEFAULT false,
    high_asks   boolean     NOT NULL DEFAULT false,
    low_blocks  boolean     NOT NULL DEFAULT false,
    high_blocks boolean     NOT NULL DEFAULT false,
    since       timestamptz NOT NULL, -- of the friendship or the request
    PRIMARY KEY (low, high),
    CHECK (low < high),
    CHECK (NOT (friends AND (low_asks OR high_asks OR low_blocks OR high_blocks))),
    -- Both asking is being friends; nobody asks whom they block.
    CHECK (NOT (low_asks AND high_asks)),
    CHECK (NOT (low_asks AND low_blocks) AND NOT (high_asks AND high_blocks)),
    CHECK (friends OR low_asks OR high_asks OR low_blocks OR high_blocks)
);

CREATE INDEX friend_pairs_high ON friend_pairs (high);

-- Codes that make friends of whoever brings them, by SHA-256.
CREATE TABLE friend_invites (
    digest     bytea PRIMARY KEY CHECK (octet_length(digest) = 32),
    player     text COLLATE "C" NOT NULL REFERENCES friend_players ON DELETE CASCADE,
    uses_left  int         NOT NULL CHECK (uses_left >= 0),
    made_at    timestamptz NOT NULL,
    expires_at timestamptz NOT NULL
);

CREATE INDEX friend_invites_player ON friend_invites (player, made_at);

-- +goose StatementBegin
-- Locks the rows of one or two players, the lesser id first, and makes those
-- that are missing. Whoever holds both may read and change what is between
-- them as if alone.
CREATE FUNCTION friend_lock(one text, other text) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    id text;
BEGIN
    FOREACH id IN ARRAY ARRAY[least(one COLLATE "C", other COLLATE "C"), greatest(one COLLATE "C", other COLLATE "C")] LOOP
        INSERT INTO friend_players AS p (player) VALUES (id)
        ON CONFLICT (player) DO UPDATE SET player = p.player;
    END LOOP;
END
$$;
-- +goose StatementEnd

-- +goose StatementBegin
-- Changes what is between me and another player, and tells what came of it:
-- done, same (it was so already), asked, friends, none (there is nothing to
-- accept), blocking (I block the other), full-me, full-other, full-asked,
-- full-blocked.
--
-- Being blocked shows nowhere: a request is kept as if it waited.
CREATE FUNCTION friend_change(action text, me text, other text, at timestamptz) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
    i_am_low boolean := me COLLATE "C" < other COLLATE "C";
    was      friend_pairs;
    pair     friend_pairs;
    mine     friend_players;
    theirs   friend_players;
    i_ask boolean; they_ask boolean; i_block boolean; they_block boolean;
    befriend boolean := false;
    outcome text := 'done';
BEGIN
    -- What cannot change anything leaves no rows behind.
    IF action IN ('accept', 'drop', 'remove', 'unblock') THEN
        PERFORM FROM friend_pairs
        WHERE low = least(me COLLATE "C", other COLLATE "C") AND high = greatest(me COLLATE "C", other COLLATE "C");
        IF NOT FOUND THEN RETURN CASE action WHEN 'accept' THEN 'none' ELSE 'same' END; END IF;
    END IF;
    PERFORM friend_lock(me, other);
    SELECT * INTO mine FROM friend_players WHERE player = me;
    SELECT * INTO theirs FROM friend_players WHERE player = other;
    SELECT * INTO was FROM friend_pairs
    WHERE low = least(me COLLATE "C", other COLLATE "C") AND high = greatest(me COLLATE "C", other COLLATE "C");
    IF NOT FOUND THEN
        was := ROW(least(me COLLATE "C", other COLLATE "C"), greatest(me COLLATE "C", other COLLATE "C"),
                   false, false, false, false, false, at);
    END IF;
    pair := was;
    IF i_am_low THEN
        i_ask := was.low_asks; they_ask := was.high_asks; i_block := was.low_blocks; they_block := was.high_blocks;
    ELSE
        i_ask := was.high_asks; they_ask := was.low_asks; i_block := was.high_blocks; they_block := was.low_blocks;
    END IF;

    CASE action
    WHEN 'ask' THEN
        IF i_block THEN RETURN 'blocking'; END IF;
        IF was.friends THEN RETURN 'friends'; END IF;
        IF i_ask THEN RETURN 'same'; END IF;
        IF they_ask THEN
            befriend := true;
        ELSE
            IF mine.asked >= 500 THEN RETURN 'full-asked'; END IF;
            i_ask := true;
            outcome := 'asked';
        END IF;
    WHEN 'accept' THEN
        IF was.friends THEN RETURN 'friends'; END IF;
        IF NOT they_ask OR i_block THEN RETURN 'none'; END IF;
        befriend := true;
    WHEN 'invited' THEN
        IF i_block THEN RETURN 'blocking'; END IF;
        IF they_block THEN RETURN 'none'; END IF;
        IF was.friends THEN RETURN 'friends'; END IF;
        befriend := true;
    WHEN 'drop' THEN
        i_ask := false;
        -- Whoever blocks does not see the request, and cannot decline it.
        they_ask := they_ask AND i_block;
    WHEN 'remove' THEN
        pair.friends := false;
    WHEN 'block' THEN
        IF NOT i_block AND mine.blocked >= 500 THEN RETURN 'full-blocked'; END IF;
        pair.friends := false; i_ask := false; they_ask := they_ask AND i_block;
        i_block := true;
    WHEN 'unblock' THEN
        i_block := false;
    ELSE
        RAISE EXCEPTION 'friend_change has no action %', action;
    END CASE;

    IF befriend THEN
        IF mine.friends >= 500 THEN RETURN 'full-me'; END IF;
        IF theirs.friends >= 500 THEN RETURN 'full-other'; END IF;
        pair.friends := true; i_ask := false; they_ask := false;
        outcome := 'friends';
    END IF;
    IF i_am_low THEN
        pair.low_asks := i_ask; pair.high_asks := they_ask; pair.low_blocks := i_block; pair.high_blocks := they_block;
    ELSE
        pair.high_asks := i_ask; pair.low_asks := they_ask; pair.high_blocks := i_block; pair.low_blocks := they_block;
    END IF;
    IF pair = was THEN RETURN 'same'; END IF;
    -- A block must not show in the time of a request that was made over it.
    IF (pair.friends, pair.low_asks, pair.high_asks) <> (was.friends, was.low_asks, was.high_asks) THEN
        pair.since := at;
    END IF;
    PERFORM friend_put(was, pair);
    RETURN outcome;
END
$$;
-- +goose StatementEnd

-- +goose StatementBegin
-- Puts a pair in place of what it was, and counts for both players.
CREATE FUNCTION friend_put(was friend_pairs, pair friend_pairs) RETURNS void
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
        version = nextval('friend_versions'),
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
-- Makes friends of me and whoever made an invite. Outcomes as friend_change,
-- and none for an invite that is not good, one's own, or of somebody who
-- blocks me: these cannot be told apart. Who is a friend already uses nothing up.
CREATE FUNCTION friend_redeem(code bytea, me text, at timestamptz, OUT outcome text, OUT other text)
LANGUAGE plpgsql AS $$
DECLARE
    owner text;
    uses  int;
BEGIN
    outcome := 'none';
    SELECT player INTO owner FROM friend_invites WHERE digest = code AND expires_at > at;
    IF NOT FOUND OR owner = me THEN RETURN; END IF;
    PERFORM friend_lock(me, owner);
    -- It may be gone, or used up, since it was looked for.
    SELECT uses_left INTO uses FROM friend_invites WHERE digest = code AND player = owner AND expires_at > at;
    IF NOT FOUND THEN RETURN; END IF;
    PERFORM FROM friend_pairs
    WHERE low = least(me COLLATE "C", owner COLLATE "C") AND high = greatest(me COLLATE "C", owner COLLATE "C") AND friends;
    IF FOUND THEN outcome := 'friends'; other := owner; RETURN; END IF;
    IF uses = 0 THEN RETURN; END IF;
    outcome := friend_change('invited', me, owner, at);
    IF outcome = 'none' THEN RETURN; END IF;
    other := owner;
    IF outcome = 'friends' THEN
        UPDATE friend_invites SET uses_left = uses_left - 1 WHERE digest = code;
    END IF;
END
$$;
-- +goose StatementEnd

-- +goose StatementBegin
-- Keeps an invite, and no more than 20 of a player's that are good: the oldest
-- goes. Keeping the same again changes nothing.
CREATE FUNCTION friend_invite(code bytea, owner text, uses int, at timestamptz, ends timestamptz) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM friend_lock(owner, owner);
    INSERT INTO friend_invites (digest, player, uses_left, made_at, expires_at) VALUES (code, owner, uses, at, ends)
    ON CONFLICT DO NOTHING;
    DELETE FROM friend_invites WHERE player = owner AND (expires_at <= at OR digest IN (
        SELECT digest FROM friend_invites WHERE player = owner ORDER BY made_at DESC, digest OFFSET 20));
END
$$;
-- +goose StatementEnd

-- +goose StatementBegin
-- Takes a player out of everything here. All rows are locked in the order of
-- ids first; who comes in between may have to wait for a deadlock to be found,
-- and one of the two is then made again.
CREATE FUNCTION friend_erase(who text) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    pair friend_pairs;
BEGIN
    PERFORM FROM friend_players
    WHERE player = who
       OR player IN (SELECT high FROM friend_pairs WHERE low = who UNION ALL SELECT low FROM friend_pairs WHERE high = who)
    ORDER BY player FOR UPDATE;
    FOR pair IN SELECT * FROM friend_pairs WHERE low = who OR high = who ORDER BY low, high LOOP
        PERFORM friend_put(pair, ROW(pair.low, pair.high, false, false, false, false, false, pair.since)::friend_pairs);
    END LOOP;
    DELETE FROM friend_players WHERE player = who;
END
$$;
-- +goose StatementEnd
