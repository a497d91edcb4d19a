package client_test

import (
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/framedle/leaderboards/client"
)

// schema is the part of a schema that names fields.
type schema struct {
	Ref        string            `yaml:"$ref"`
	Properties map[string]schema `yaml:"properties"`
	AllOf      []schema          `yaml:"allOf"`
	Enum       []string          `yaml:"enum"`
}

type document struct {
	Components struct {
		Schemas map[string]schema `yaml:"schemas"`
	} `yaml:"components"`
	Paths map[string]map[string]struct {
		Security []map[string]any `yaml:"security"`
	} `yaml:"paths"`
}

// forServers are the routes that a game server or an operator may ask for with a
// credential of their own, as "GET /v1/duels/{id}".
func forServers(t *testing.T) (routes []string) {
	for path, methods := range readDocument(t).Paths {
		for method, operation := range methods {
			for _, way := range operation.Security {
				_, signature := way["signature"]
				_, operator := way["operator"]
				if signature || operator {
					routes = append(routes, strings.ToUpper(method)+" "+path)
					break
				}
			}
		}
	}
	return routes
}

func readDocument(t *testing.T) (d document) {
	text, err := os.ReadFile("../api/openapi.yaml")
	require.NoError(t, err)
	require.NoError(t, yaml.Unmarshal(text, &d))
	return d
}

// fields are the names that a type has in JSON.
func fields(of reflect.Type) (names []string) {
	for f := range of.Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous:
			names = append(names, fields(f.Type)...)
		case name != "-":
			names = append(names, name)
		}
	}
	return names
}

// The types have exactly the fields of the product's answers. A field that the document gains
// is added here, or to those left out.
func TestTypesHaveTheFieldsOfTheDocument(t *testing.T) {
	all := readDocument(t).Components.Schemas
	for name, c := range map[string]struct {
		is   any
		left []string // that a game server has no use for
	}{
		"Submission": {client.Submission{}, nil}, "Result": {client.Result{}, nil},
		"View": {client.View{}, nil}, "OwnStanding": {client.OwnStanding{}, nil}, "TodaysRank": {client.TodaysRank{}, nil},
		"Page": {client.Page{}, nil}, "Entry": {client.Entry{}, nil}, "Card": {client.Card{}, nil},
		"Surroundings": {client.Around{}, nil}, "Found": {client.Found{}, nil},
		"Game": {client.Game{}, nil}, "BadgeRule": {client.BadgeRule{}, nil}, "GameMode": {client.Mode{}, nil}, "OpenDate": {client.OpenDate{}, nil},
		"Purchase": {client.Purchase{}, nil}, "Spent": {client.Spent{}, nil}, "Presence": {client.Presence{}, nil}, "Feed": {client.Feed{}, nil}, "FeedEntry": {client.FeedEntry{}, nil},
		"PlayRequest": {client.PlayRequest{}, nil}, "Play": {client.Play{}, nil}, "Challenge": {client.Challenge{}, nil},
		"HeldScore": {client.HeldScore{}, nil}, "HeldList": {client.HeldScores{}, nil},
		"NewDuel": {client.NewDuel{}, []string{"opponent"}}, "Duel": {client.Duel{}, nil}, "RatingChange": {client.RatingChange{}, nil},
		"Event": {client.Event{}, nil}, "EventResults": {client.EventResults{}, nil}, "RefusedEvent": {client.RefusedEvent{}, nil},
		"Problem": {client.Problem{}, nil}, "FieldError": {client.FieldError{}, nil},
		"Removal": {client.Removal{}, nil}, "Erasure": {client.Erasure{}, nil},
		"KeptBan": {client.Ban{}, nil}, "KeptBans": {client.Bans{}, nil}, "Act": {client.Act{}, nil}, "Log": {client.Log{}, nil}, "ScoreAudit": {client.ScoreAudit{}, nil}, "AuditedScore": {client.AuditedScore{}, nil}, "Statistics": {client.Statistics{}, nil}, "PlayedDay": {client.PlayedDay{}, nil},
		"MaintenanceState": {client.Maintenance{}, nil}, "Health": {client.Health{}, nil},
		"Status": {client.Status{}, nil}, "ScheduledRun": {client.Run{}, nil},
		"Usage": {client.Usage{}, nil}, "UsageWhatIf": {client.UsageWhatIf{}, nil}, "UsageMonth": {client.UsageMonth{}, nil},
		"DeadLetters": {client.DeadLetters{}, nil}, "DeadQueue": {client.DeadQueue{}, nil}, "DeadLetter": {client.DeadLetter{}, nil}, "UsageDay": {client.UsageDay{}, nil}, "UsageShare": {client.UsageShare{}, nil},
		"FunctionUsage": {client.FunctionUsage{}, nil},
		"UsagePlan":     {client.UsagePlan{}, nil}, "UsageBudget": {client.UsageBudget{}, nil},
		"UsageBill": {client.UsageBill{}, nil}, "UsageBillLine": {client.UsageBillLine{}, nil},
		"PlayerDocument": {client.PlayerDocument{}, nil}, "KeptResult": {client.KeptResult{}, nil}, "KeptSubmission": {client.KeptSubmission{}, nil}, "KeptRace": {client.KeptRace{}, nil}, "ActiveDay": {client.ActiveDay{}, nil}, "KeptSpend": {client.KeptSpend{}, nil}, "LeagueRules": {client.Leagues{}, nil}, "KeptLeague": {client.KeptLeague{}, nil}, "KeptBadge": {client.KeptBadge{}, nil}, "Badge": {client.PlayerBadge{}, nil}, "BadgeList": {client.PlayerBadges{}, nil}, "Wallet": {client.Wallet{}, nil},
		"Profile": {client.Profile{}, nil}, "Streak": {client.Streak{}, nil}, "Achievement": {client.Badge{}, nil},
	} {
		s, known := all[name]
		require.True(t, known, name)
		want := slices.Clone(c.left)
		for field := range s.Properties {
			want = append(want, field)
		}
		require.NotEmpty(t, s.Properties, name)
		slices.Sort(want)
		require.ElementsMatch(t, slices.Compact(want), append(fields(reflect.TypeOf(c.is)), c.left...), name)
	}
	parts := all["Status"].Properties
	for field := range reflect.TypeOf(client.Status{}).Fields() {
		name := field.Tag.Get("json")
		if own := parts[name].Properties; own != nil {
			names := []string{}
			for n := range own {
				names = append(names, n)
			}
			require.ElementsMatch(t, names, fields(field.Type), "Status."+name)
		}
	}
}

func TestEveryCodeOfAProblemHasItsConstant(t *testing.T) {
	codes := []string{
		client.CodeInvalidRequest, client.CodeUnauthenticated, client.CodeForbidden, client.CodeNotFound, client.CodeUnknownMode,
		client.CodeUnknownSeason, client.CodeNotOnBoard, client.CodeMethodNotAllowed, client.CodeTooLarge, client.CodeUnsupportedMediaType,
		client.CodeKeyReused, client.CodeKeyInUse, client.CodeRateLimited, client.CodeDateClosed, client.CodeScoreOutOfBounds, client.CodePlayRefused, client.CodeBanned,
		client.CodeDeviceClaimed, client.CodeDeviceTaken, client.CodeNotRemovable, client.CodeNoDatabase, client.CodeNoRequest, client.CodeNoInvite,
		client.CodePlayerBlocked, client.CodeListFull, client.CodeUnknownDuel, client.CodeDuelDecided, client.CodeDuelState, client.CodeUnknownRace, client.CodeRaceState,
		client.CodeChallengesFull, client.CodeInternal, client.CodeServerError, client.CodeRulesChanged, client.CodeMaintenance, client.CodeUnavailable,
		client.CodeNoLiveBoards, client.CodeNoSeat, client.CodeTooLittle,
	}
	require.ElementsMatch(t, readDocument(t).Components.Schemas["ProblemCode"].Enum, codes)
}
