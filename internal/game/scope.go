package game

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// ScopeKind is which part of the players a board ranks.
type ScopeKind uint8

// The kinds of scope. Every mode has the global board; the others are
// declared by the mode.
const (
	Global ScopeKind = iota
	Country
	Group
	Teams // groups against each other: a board whose players are groups
	Region
	Level     // players who played at one level of a mode
	Worldwide // everybody at all sites: a board that sites merge, see [World]
)

// OfWorld is the scope of boards that several sites have merged.
var OfWorld = Scope{kind: Worldwide}

// String is global, country, group, groups, region, level or world.
func (k ScopeKind) String() string {
	switch k {
	case Global:
		return "global"
	case Country:
		return "country"
	case Group:
		return "group"
	case Teams:
		return "groups"
	case Region:
		return "region"
	case Level:
		return "level"
	case Worldwide:
		return "world"
	}
	return fmt.Sprintf("scope(%d)", uint8(k))
}

// Scope is the part of the players that one board ranks: everybody, one country, one region (a
// continent), one group (a guild, a team, a campus), or one level that they played at; or all
// groups, ranked against each other. The zero Scope is everybody. Scopes are comparable with
// ==.
type Scope struct {
	kind ScopeKind
	id   string
}

// ParseScope reads global, country:BR, region:EU, group:ID, level:12 or groups.
func ParseScope(s string) (Scope, error) {
	switch s {
	case "global":
		return Scope{}, nil
	case "groups":
		return TeamsScope(), nil
	}
	kind, id, _ := strings.Cut(s, ":")
	switch kind {
	case "country":
		return CountryScope(id)
	case "region":
		return RegionScope(id)
	case "group":
		return GroupScope(id)
	case "level":
		return parseLevel(id)
	}
	return Scope{}, fmt.Errorf("%.80q is not a scope; use global, country:XX, region:XX, group:ID, level:N or groups", s)
}

// TeamsScope is all groups, ranked against each other.
func TeamsScope() Scope { return Scope{kind: Teams} }

// CountryScope is everybody of one country, by ISO 3166-1 alpha-2 code.
func CountryScope(code string) (Scope, error) {
	if err := ValidCountry(code); err != nil {
		return Scope{}, err
	}
	return Scope{kind: Country, id: code}, nil
}

// RegionScope is everybody of the countries of one continent, by one of [Continents].
func RegionScope(continent string) (Scope, error) {
	if !slices.Contains(Continents, continent) {
		return Scope{}, fmt.Errorf("%.40q is not a region; use %s", continent, strings.Join(Continents, ", "))
	}
	return Scope{kind: Region, id: continent}, nil
}

// GroupScope is the members of one group. The id is 1 to 64 characters of
// [A-Za-z0-9_-].
func GroupScope(id string) (Scope, error) {
	if !ValidGroup(id) {
		return Scope{}, fmt.Errorf("%.80q is not a group; use 1 to 64 characters of A-Z, a-z, 0-9, _ and -", id)
	}
	return Scope{kind: Group, id: id}, nil
}

// MaxLevels is how many levels a mode may have.
const MaxLevels = 100

// LevelScope is what was played at one level, 1 to [MaxLevels].
func LevelScope(n int) (Scope, error) {
	if n < 1 || n > MaxLevels {
		return Scope{}, fmt.Errorf("%d is not a level; use 1 to %d", n, MaxLevels)
	}
	return Scope{kind: Level, id: strconv.Itoa(n)}, nil
}

// parseLevel reads a level, and takes one form only, so that a board has one key.
func parseLevel(id string) (Scope, error) {
	n, err := strconv.Atoi(id)
	if err != nil || strconv.Itoa(n) != id {
		return Scope{}, fmt.Errorf("%.40q is not a level; use a whole number from 1 to %d", id, MaxLevels)
	}
	return LevelScope(n)
}

// Kind is which kind of scope it is.
func (s Scope) Kind() ScopeKind { return s.kind }

// ID is the code of the country or region, the group's id or the level's number; else empty.
func (s Scope) ID() string { return s.id }

// String is the form that ParseScope reads.
func (s Scope) String() string {
	if s.id == "" {
		return s.kind.String()
	}
	return s.kind.String() + ":" + s.id
}

// Written reports whether plays that name the scope are written to its boards, as with groups
// and levels.
func (s Scope) Written() bool { return s.kind == Group || s.kind == Level }

// OwnEntries reports whether the scope's boards of days have the scores that players reached
// there, as a level's do. A group's have the entries of the day's own board.
func (s Scope) OwnEntries() bool { return s.kind == Level }

// ByCountry reports whether the scope ranks players by their countries. Its boards are never
// written, but made from those of all players.
func (s Scope) ByCountry() bool { return s.kind == Country || s.kind == Region }

// ScopesByCountry are the scopes that rank the players of a country: the country and its
// region. A code that is no country's has none.
func ScopesByCountry(country string) []Scope {
	continent := continentOf(country)
	if continent == "" {
		return nil
	}
	return []Scope{{kind: Country, id: country}, {kind: Region, id: continent}}
}

// HasCountry reports whether a scope by country ranks the players of a country.
func (s Scope) HasCountry(code string) bool {
	if s.kind == Region {
		return s.id == continentOf(code)
	}
	return s.id == code
}

// RanksByCountry reports whether a mode has boards by the players' countries.
func RanksByCountry(m *Mode) bool { return m.HasScope(Country) || m.HasScope(Region) }

// ScopesOf are those of [ScopesByCountry] that a mode keeps boards of.
func ScopesOf(m *Mode, country string) (scopes []Scope) {
	for _, scope := range ScopesByCountry(country) {
		if m.HasScope(scope.kind) {
			scopes = append(scopes, scope)
		}
	}
	return scopes
}
