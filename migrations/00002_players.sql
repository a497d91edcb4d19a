-- +goose Up

CREATE TABLE profiles (
    player     text COLLATE "C" PRIMARY KEY,
    name       text             NOT NULL DEFAULT '',
    picture    text             NOT NULL DEFAULT '',
    country    text COLLATE "C" NOT NULL DEFAULT '' CHECK (country ~ '^([A-Z]{2})?$'),
    hidden     boolean          NOT NULL DEFAULT false,
    updated_at timestamptz      NOT NULL
);

-- player is a digest once the player has been erased.
CREATE TABLE bans (
    player    text COLLATE "C" PRIMARY KEY,
    reason    text             NOT NULL,
    banned_at timestamptz      NOT NULL,
    banned_by text             NOT NULL
);

-- Who did what to whom. id comes with the request, so that one that is sent
-- again leaves one row. actor and player are digests once erased.
CREATE TABLE audit (
    id     text COLLATE "C" PRIMARY KEY,
    at     timestamptz      NOT NULL,
    actor  text COLLATE "C" NOT NULL,
    action text             NOT NULL,
    player text COLLATE "C",
    mode   text COLLATE "C",
    date   date,
    detail jsonb
);

CREATE INDEX audit_at ON audit (at);

-- Players who have been erased, by digest: what was on its way when they were
-- is not let in afterwards.
CREATE TABLE erasures (
    digest    text COLLATE "C" PRIMARY KEY,
    erased_at timestamptz      NOT NULL
);

-- One random value for each database, so that digests of two databases, or of
-- a list made beforehand, do not match.
CREATE TABLE digest_salt (
    one  boolean PRIMARY KEY DEFAULT true CHECK (one),
    salt text    NOT NULL
);

INSERT INTO digest_salt (salt) VALUES (gen_random_uuid()::text || gen_random_uuid()::text);

-- +goose StatementBegin
-- What stands for a player who has been erased.
CREATE FUNCTION player_digest(player text) RETURNS text
LANGUAGE sql STABLE AS $$
    SELECT 'erased:' || encode(sha256(convert_to(salt || player, 'UTF8')), 'hex') FROM digest_salt
$$;
-- +goose StatementEnd

-- +goose StatementBegin
-- Whether the player has been erased at that moment or later.
CREATE FUNCTION erased_since(player text, moment timestamptz) RETURNS boolean
LANGUAGE sql STABLE AS $$
    SELECT EXISTS (SELECT FROM erasures WHERE digest = player_digest(player) AND erased_at >= moment)
$$;
-- +goose StatementEnd
