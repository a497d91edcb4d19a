package game

import (
	"fmt"
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
)

// String is global, country, group or groups.
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
	}
	return fmt.Sprintf("scope(%d)", uint8(k))
}

// Scope is the part of the players that one board ranks: everybody, one
// country, or one group (a guild, a team, a campus, a level); or all groups, ranked
// against each other. The zero Scope is everybody. Scopes are comparable with ==.
type Scope struct {
	kind ScopeKind
	id   string
}

// ParseScope reads global, country:BR, group:ID or groups.
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
	case "group":
		return GroupScope(id)
	}
	return Scope{}, fmt.Errorf("%.80q is not a scope; use global, country:XX, group:ID or groups", s)
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

// GroupScope is the members of one group. The id is 1 to 64 characters of
// [A-Za-z0-9_-].
func GroupScope(id string) (Scope, error) {
	if !validGroup(id) {
		return Scope{}, fmt.Errorf("%.80q is not a group; use 1 to 64 characters of A-Z, a-z, 0-9, _ and -", id)
	}
	return Scope{kind: Group, id: id}, nil
}

// Kind is everybody, a country, a group, or groups against each other.
func (s Scope) Kind() ScopeKind { return s.kind }

// ID is the country's code or the group's id, and else empty.
func (s Scope) ID() string { return s.id }

// String is the form that ParseScope reads.
func (s Scope) String() string {
	if s.id == "" {
		return s.kind.String()
	}
	return s.kind.String() + ":" + s.id
}
