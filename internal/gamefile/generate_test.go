package gamefile_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/framedle/leaderboards/internal/gamefile"
)

var update = flag.Bool("update", false, "write what is made from the keys: the schema and the tables of docs/reference/games.md")

const (
	schemaPath = "../../games/game.schema.json"
	pagePath   = "../../docs/reference/games.md"
)

// TestWhatIsMadeFromTheKeysIsCurrent compares the schema and the page of games with the keys;
// `make generate` writes both.
func TestWhatIsMadeFromTheKeysIsCurrent(t *testing.T) {
	page, err := os.ReadFile(pagePath)
	require.NoError(t, err)
	made := string(page)
	for part, text := range map[string]string{
		"defaults":        "```yaml game spelled-out\n" + spelledOut() + "```\n",
		"keys of a game":  rows("key", gamefile.File().Keys[:len(gamefile.File().Keys)-1], gamefile.ModesKey),
		"keys of a mode":  rows("key", gamefile.ModesKey.Of.Keys),
		"keys of a value": rows("key of a value", gamefile.ScoreKey.Of.Keys),
	} {
		before, rest, found := strings.Cut(made, "<!-- "+part+", by make generate -->\n")
		_, after, closed := strings.Cut(rest, "<!-- end -->")
		require.True(t, found && closed, part)
		made = before + "<!-- " + part + ", by make generate -->\n" + text + "<!-- end -->" + after
	}
	for path, want := range map[string]string{schemaPath: schemaText(t), pagePath: made} {
		if *update {
			require.NoError(t, os.WriteFile(path, []byte(want), 0o644))
		}
		is, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, want, string(is), "run make generate")
	}
}

// schemaText is the JSON Schema of game files. Its draft is the newest that editors know well.
func schemaText(t *testing.T) string {
	whole := schema(gamefile.File())
	whole["$schema"] = "http://json-schema.org/draft-07/schema#"
	whole["title"] = "Game"
	whole["description"] = "A game of Framedle Leaderboards. Made from the keys in internal/gamefile by make generate."
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "\t")
	require.NoError(t, encoder.Encode(whole))
	return text.String()
}

type object = map[string]any

const (
	durationForm = `([0-9]{1,4}d([0-9]{1,5}h)?([0-9]{1,7}m)?([0-9]{1,9}s)?|[0-9]{1,5}h([0-9]{1,7}m)?([0-9]{1,9}s)?|[0-9]{1,7}m([0-9]{1,9}s)?|[0-9]{1,9}s)`
	rateForm     = `^0{0,5}([1-9][0-9]{0,3}|10000)/` + durationForm + `$`
	percentForm  = `^0{0,5}([1-9][0-9]{0,2}|1000)%$`
)

// schema is what a schema says of the value of a key.
func schema(k *gamefile.Key) object {
	var kinds []any
	if len(k.Words) > 0 {
		kinds = append(kinds, object{"enum": k.Words})
	}
	if k.Kind != gamefile.Choice {
		kinds = append(kinds, ofKind(k))
	}
	if k.Also != nil {
		kinds = append(kinds, ofKind(k.Also))
	}
	s := object{"anyOf": kinds}
	if len(kinds) == 1 {
		s = kinds[0].(object)
	}
	if k.Text != "" {
		s["description"] = description(k)
	}
	if k.Default != "" {
		var usual any
		if err := yaml.Unmarshal([]byte(k.Default), &usual); err != nil {
			panic(err)
		}
		s["default"] = usual
	}
	return s
}

func ofKind(k *gamefile.Key) object {
	s := object{}
	put := func(name, bound string) {
		if bound != "" {
			s[name] = json.Number(bound)
		}
	}
	switch k.Kind {
	case gamefile.Text:
		s["type"] = "string"
		form(s, k.Pattern, k.Advice)
		put("minLength", k.Min)
		put("maxLength", k.Max)
	case gamefile.Boolean:
		s["type"] = "boolean"
	case gamefile.Number, gamefile.ModeScore:
		s["type"] = "number"
		if k.Kind == gamefile.Number && k.Decimals == 0 {
			s["type"] = "integer"
		}
		put("minimum", k.Min)
		put("maximum", k.Max)
	case gamefile.Duration:
		s["type"] = "string"
		form(s, "^"+durationForm+"$", gamefile.WantDuration)
	case gamefile.Rate:
		s["type"] = "string"
		form(s, rateForm, gamefile.WantRate)
	case gamefile.Percent:
		s["type"] = "string"
		form(s, percentForm, gamefile.WantPercent)
	case gamefile.Date:
		s["type"], s["format"] = "string", "date"
	case gamefile.List:
		s["type"], s["items"] = "array", schema(k.Of)
		if k.Distinct {
			s["uniqueItems"] = true
		}
		put("minItems", k.Min)
		put("maxItems", k.Max)
	case gamefile.Table:
		s["type"], s["additionalProperties"] = "object", schema(k.Of)
		names := object{}
		form(names, k.Pattern, "")
		if len(k.Reserved) > 0 {
			names["not"] = object{"enum": k.Reserved}
		}
		s["propertyNames"] = names
		put("minProperties", k.Min)
		put("maxProperties", k.Max)
	case gamefile.Mapping:
		properties, needed := object{}, []string{}
		for i := range k.Keys {
			one := &k.Keys[i]
			properties[one.Name] = schema(one)
			switch {
			case one.Unless != "":
				s["anyOf"] = []any{object{"required": []string{one.Name}}, object{"required": []string{one.Unless}}}
			case one.Required != "":
				needed = append(needed, one.Name)
			}
		}
		s["type"], s["properties"], s["additionalProperties"] = "object", properties, false
		if len(needed) > 0 {
			s["required"] = needed
		}
		put("minProperties", k.Min)
	}
	return s
}

// form adds a pattern, and what editors say in place of it about a text that does not match.
func form(s object, pattern, want string) {
	if pattern == gamefile.NameForm {
		want = "use a letter a-z and up to 39 more of a-z, 0-9 and _"
	}
	if pattern != "" {
		s["pattern"] = pattern
	}
	if pattern != "" && want != "" {
		s["patternErrorMessage"] = want
	}
}

var link = regexp.MustCompile(`\[([^]]*)\]\([^)]*\)`)

// description is what an editor shows: the text of the page without its Markdown.
func description(k *gamefile.Key) string {
	text := strings.ReplaceAll(link.ReplaceAllString(k.Text, "$1"), "`", "")
	more := strings.NewReplacer("`", "", "the keys below", "keys").Replace(holds(k) + ". Default: " + defaultOf(k))
	return strings.ToUpper(text[:1]) + text[1:] + ".\n\nMay hold: " + more + "."
}

// rows is a table of the page: keys, and below each the keys in it.
func rows(head string, keys []gamefile.Key, more ...gamefile.Key) string {
	var b strings.Builder
	fmt.Fprintf(&b, "| %s | default | may hold | meaning |\n|---|---|---|---|\n", head)
	for _, k := range slices.Concat(keys, more) {
		addRow(&b, "", &k)
	}
	return b.String()
}

// brief has shorter words for what the page explains above the table.
var brief = strings.NewReplacer("the keys below", "keys", "`off`, or `1` to `10000` in `1s` to `1d`", "a rate")

func addRow(b *strings.Builder, path string, k *gamefile.Key) {
	path += k.Name
	// Limits of the same name and default are described once.
	cells := fmt.Sprintf("| %s | %s | %s |\n", brief.Replace(defaultOf(k)), brief.Replace(holds(k)), k.Text)
	if k.Text != "" && !(strings.HasPrefix(path, "limits.") && strings.Contains(b.String(), "."+k.Name+"` "+cells)) {
		b.WriteString("| `" + path + "` " + cells)
	}
	if k.Name == gamefile.ModesKey.Name && path == k.Name || k.Name == gamefile.ScoreKey.Name && k.Kind == gamefile.List {
		return // these have tables of their own
	}
	for i := range k.Keys {
		addRow(b, path+".", &k.Keys[i])
	}
	if k.Kind == gamefile.List && k.Of.Kind == gamefile.Mapping {
		for i := range k.Of.Keys {
			addRow(b, path+"[].", &k.Of.Keys[i])
		}
	}
	if k.Kind == gamefile.Table {
		of := *k.Of
		of.Name = "<" + of.Name + ">"
		addRow(b, path+".", &of)
	}
}

func defaultOf(k *gamefile.Key) string {
	switch {
	case k.Default != "":
		return "`" + k.Default + "`"
	case k.Unless != "":
		return "required without `" + k.Unless + "`"
	case k.Required != "":
		return "required"
	case k.Absent != "":
		return k.Absent
	case k.Kind == gamefile.Mapping:
		return "the keys below"
	}
	return "none"
}

// holds is what may be there, in words.
func holds(k *gamefile.Key) string {
	if k.Holds != "" {
		return k.Holds
	}
	var all []string
	for _, word := range k.Words {
		all = append(all, "`"+word+"`")
	}
	if k.Also != nil {
		all = append(all, holds(k.Also))
	}
	if k.Kind == gamefile.Choice {
		return strings.Join(all, ", ")
	}
	return strings.Join(append(all, holdsKind(k)), ", or ")
}

func holdsKind(k *gamefile.Key) string {
	bounds := "`" + k.Min + "` to `" + k.Max + "`"
	switch k.Kind {
	case gamefile.Boolean:
		return "`true`, `false`"
	case gamefile.Number:
		if k.Decimals > 0 {
			bounds += fmt.Sprintf(", up to %d decimals", k.Decimals)
		}
		return bounds
	case gamefile.ModeScore:
		return "a number with `decimals` places"
	case gamefile.Duration, gamefile.Percent:
		return bounds
	case gamefile.Rate:
		return bounds + " in `1s` to `1d`"
	case gamefile.Date:
		return "a date"
	case gamefile.List:
		return "a list of " + strings.ReplaceAll(holds(k.Of), ", or ", ", ")
	case gamefile.Mapping:
		return "the keys below"
	case gamefile.Table:
		return "by name"
	}
	if k.Pattern == "" {
		return "texts"
	}
	return "`" + strings.Trim(k.Pattern, "^$") + "`"
}

// spelledOut is the smallest game with all defaults that have a value.
func spelledOut() string {
	return "name: puzzle\n" + defaults(gamefile.File().Keys, "") + "modes:\n  daily:\n    max: 100\n" + defaults(gamefile.ModesKey.Of.Keys, "    ")
}

func defaults(keys []gamefile.Key, indent string) string {
	var b strings.Builder
	for i := range keys {
		k := &keys[i]
		switch {
		case k.Default != "":
			fmt.Fprintf(&b, "%s%s: %s\n", indent, k.Name, k.Default)
		case k.Kind == gamefile.Mapping && k.Required == "":
			if below := defaults(k.Keys, indent+"  "); below != "" && k.Absent == "" {
				fmt.Fprintf(&b, "%s%s:\n%s", indent, k.Name, below)
			}
		}
	}
	return b.String()
}
