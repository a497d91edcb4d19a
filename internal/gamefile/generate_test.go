package gamefile

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
		"keys of a game":  rows("key", file.keys[:len(file.keys)-1], modesKey),
		"keys of a mode":  rows("key", modesKey.of.keys),
		"keys of a value": rows("key of a value", scoreKey.of.keys),
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
	whole := schema(&file)
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
func schema(k *key) object {
	var kinds []any
	if len(k.words) > 0 {
		kinds = append(kinds, object{"enum": k.words})
	}
	if k.kind != choice {
		kinds = append(kinds, ofKind(k))
	}
	if k.also != nil {
		kinds = append(kinds, ofKind(k.also))
	}
	s := object{"anyOf": kinds}
	if len(kinds) == 1 {
		s = kinds[0].(object)
	}
	if k.text != "" {
		s["description"] = description(k)
	}
	if k.usual != "" {
		var usual any
		if err := yaml.Unmarshal([]byte(k.usual), &usual); err != nil {
			panic(err)
		}
		s["default"] = usual
	}
	return s
}

func ofKind(k *key) object {
	s := object{}
	put := func(name, bound string) {
		if bound != "" {
			s[name] = json.Number(bound)
		}
	}
	switch k.kind {
	case text:
		s["type"] = "string"
		form(s, k.form, k.want)
		put("minLength", k.min)
		put("maxLength", k.max)
	case boolean:
		s["type"] = "boolean"
	case number, score:
		s["type"] = "number"
		if k.kind == number && k.decimals == 0 {
			s["type"] = "integer"
		}
		put("minimum", k.min)
		put("maximum", k.max)
	case duration:
		s["type"] = "string"
		form(s, "^"+durationForm+"$", wantDuration)
	case rate:
		s["type"] = "string"
		form(s, rateForm, wantRate)
	case percent:
		s["type"] = "string"
		form(s, percentForm, wantPercent)
	case date:
		s["type"], s["format"] = "string", "date"
	case list:
		s["type"], s["items"] = "array", schema(k.of)
		if k.distinct {
			s["uniqueItems"] = true
		}
		put("minItems", k.min)
		put("maxItems", k.max)
	case table:
		s["type"], s["additionalProperties"] = "object", schema(k.of)
		names := object{}
		form(names, k.form, "")
		if len(k.reserved) > 0 {
			names["not"] = object{"enum": k.reserved}
		}
		s["propertyNames"] = names
		put("minProperties", k.min)
		put("maxProperties", k.max)
	case mapping:
		properties, needed := object{}, []string{}
		for i := range k.keys {
			one := &k.keys[i]
			properties[one.name] = schema(one)
			switch {
			case one.without != "":
				s["anyOf"] = []any{object{"required": []string{one.name}}, object{"required": []string{one.without}}}
			case one.need != "":
				needed = append(needed, one.name)
			}
		}
		s["type"], s["properties"], s["additionalProperties"] = "object", properties, false
		if len(needed) > 0 {
			s["required"] = needed
		}
		put("minProperties", k.min)
	}
	return s
}

// form adds a pattern, and what editors say in place of it about a text that does not match.
func form(s object, pattern, want string) {
	if pattern == nameForm {
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
func description(k *key) string {
	text := strings.ReplaceAll(link.ReplaceAllString(k.text, "$1"), "`", "")
	more := strings.NewReplacer("`", "", "the keys below", "keys").Replace(holds(k) + ". Default: " + defaultOf(k))
	return strings.ToUpper(text[:1]) + text[1:] + ".\n\nMay hold: " + more + "."
}

// rows is a table of the page: keys, and below each the keys in it.
func rows(head string, keys []key, more ...key) string {
	var b strings.Builder
	fmt.Fprintf(&b, "| %s | default | may hold | meaning |\n|---|---|---|---|\n", head)
	for _, k := range slices.Concat(keys, more) {
		addRow(&b, "", &k)
	}
	return b.String()
}

// brief has shorter words for what the page explains above the table.
var brief = strings.NewReplacer("the keys below", "keys", "`off`, or `1` to `10000` in `1s` to `1d`", "a rate")

func addRow(b *strings.Builder, path string, k *key) {
	path += k.name
	// Limits of the same name and default are described once.
	cells := fmt.Sprintf("| %s | %s | %s |\n", brief.Replace(defaultOf(k)), brief.Replace(holds(k)), k.text)
	if k.text != "" && !(strings.HasPrefix(path, "limits.") && strings.Contains(b.String(), "."+k.name+"` "+cells)) {
		b.WriteString("| `" + path + "` " + cells)
	}
	if k.name == modesKey.name && path == k.name || k.name == scoreKey.name && k.kind == list {
		return // these have tables of their own
	}
	for i := range k.keys {
		addRow(b, path+".", &k.keys[i])
	}
	if k.kind == list && k.of.kind == mapping {
		for i := range k.of.keys {
			addRow(b, path+"[].", &k.of.keys[i])
		}
	}
	if k.kind == table {
		of := *k.of
		of.name = "<" + of.name + ">"
		addRow(b, path+".", &of)
	}
}

func defaultOf(k *key) string {
	switch {
	case k.usual != "":
		return "`" + k.usual + "`"
	case k.without != "":
		return "required without `" + k.without + "`"
	case k.need != "":
		return "required"
	case k.otherwise != "":
		return k.otherwise
	case k.kind == mapping:
		return "the keys below"
	}
	return "none"
}

// holds is what may be there, in words.
func holds(k *key) string {
	if k.holds != "" {
		return k.holds
	}
	var all []string
	for _, word := range k.words {
		all = append(all, "`"+word+"`")
	}
	if k.also != nil {
		all = append(all, holds(k.also))
	}
	if k.kind == choice {
		return strings.Join(all, ", ")
	}
	return strings.Join(append(all, holdsKind(k)), ", or ")
}

func holdsKind(k *key) string {
	bounds := "`" + k.min + "` to `" + k.max + "`"
	switch k.kind {
	case boolean:
		return "`true`, `false`"
	case number:
		if k.decimals > 0 {
			bounds += fmt.Sprintf(", up to %d decimals", k.decimals)
		}
		return bounds
	case score:
		return "a number with `decimals` places"
	case duration, percent:
		return bounds
	case rate:
		return bounds + " in `1s` to `1d`"
	case date:
		return "a date"
	case list:
		return "a list of " + strings.ReplaceAll(holds(k.of), ", or ", ", ")
	case mapping:
		return "the keys below"
	case table:
		return "by name"
	}
	if k.form == "" {
		return "texts"
	}
	return "`" + strings.Trim(k.form, "^$") + "`"
}

// spelledOut is the smallest game with all defaults that have a value.
func spelledOut() string {
	return "name: puzzle\n" + defaults(file.keys, "") + "modes:\n  daily:\n    max: 100\n" + defaults(modesKey.of.keys, "    ")
}

func defaults(keys []key, indent string) string {
	var b strings.Builder
	for i := range keys {
		k := &keys[i]
		switch {
		case k.usual != "":
			fmt.Fprintf(&b, "%s%s: %s\n", indent, k.name, k.usual)
		case k.kind == mapping && k.need == "":
			if below := defaults(k.keys, indent+"  "); below != "" && k.otherwise == "" {
				fmt.Fprintf(&b, "%s%s:\n%s", indent, k.name, below)
			}
		}
	}
	return b.String()
}
