package gamefile_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/framedle/leaderboards/games"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/gamefile"
)

var compiled = sync.OnceValues(func() (*jsonschema.Schema, error) {
	text, err := os.ReadFile(schemaPath)
	if err != nil {
		return nil, err
	}
	parsed, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("game.schema.json", parsed); err != nil {
		return nil, err
	}
	return c.Compile("game.schema.json")
})

// validate is what an editor says of a text that is YAML.
func validate(t require.TestingT, root *yaml.Node) error {
	s, err := compiled()
	require.NoError(t, err)
	return s.Validate(plainValue(root))
}

// plainValue is a node as YAML 1.2 has it, which editors read: without dates, and with keys that
// are text.
func plainValue(n *yaml.Node) any {
	switch n.Kind {
	case yaml.DocumentNode:
		return plainValue(n.Content[0])
	case yaml.SequenceNode:
		items := []any{}
		for _, item := range n.Content {
			items = append(items, plainValue(item))
		}
		return items
	case yaml.MappingNode:
		values := object{}
		for i := 0; i+1 < len(n.Content); i += 2 {
			values[n.Content[i].Value] = plainValue(n.Content[i+1])
		}
		return values
	}
	switch n.ShortTag() {
	case "!!null":
		return nil
	case "!!bool":
		return strings.EqualFold(n.Value, "true")
	case "!!int", "!!float":
		if len(n.Value) < 20 && json.Valid([]byte(n.Value)) && !strings.ContainsAny(n.Value, "eE") {
			return json.Number(n.Value)
		}
		number := math.MaxFloat64 // what is infinite, or no number, is out of all bounds
		if err := n.Decode(&number); err != nil || math.IsInf(number, 0) || math.IsNaN(number) {
			number = math.MaxFloat64
		}
		return json.Number(strconv.FormatFloat(number, 'f', -1, 64))
	}
	return n.Value
}

// A schema says of a value alone whether its key, kind and bounds are right. It does not say how
// a number is written, which keys go with which, whether a name is declared elsewhere in the
// file, or what an address is good for. These are the messages about what it has to say, and the
// exceptions among them.
var (
	sayable = regexp.MustCompile(`: (the key is unknown|this is a (mapping|list)|there is no value|".*" is text|\w+ is a (number|truth value)|it is missing|there are (none|\d+)|.* is out of range|\d+ are too many|".*" is not (a (duration|rate|percentage|date|name)|` + strings.Join(nouns(gamefile.File()), "|") + `))[;:( ]`)
	beyond  = regexp.MustCompile(strings.Join([]string{
		`: [0-9dhms]+[dhms] is out of range`, // bounds of durations
		`^(lives\.\w+|duels\.queue\.cap|badges\.\w+\.(days|score)|modes\.\w+\.challenge\.seconds): \S+ is out of range`, // bounds that other keys say
		`^(badges\.\w+\.(period|days)|modes\.\w+\.day_(min|max)): it is missing`,                                        // keys that are needed because of others
	}, "|"))
)

// nouns are what messages call words that are not among the choices.
func nouns(k *gamefile.Key) (all []string) {
	if k.Noun != "" {
		all = append(all, k.Noun)
	}
	if k.Of != nil {
		all = append(all, nouns(k.Of)...)
	}
	for i := range k.Keys {
		all = append(all, nouns(&k.Keys[i])...)
	}
	return all
}

// agrees reports a text of which the schema says something else than the reader.
func agrees(t require.TestingT, text []byte, err error) {
	var document yaml.Node
	if bad := yaml.Unmarshal(text, &document); bad == nil && document.Content != nil {
		agree(t, text, err, validate(t, &document))
	}
}

func agree(t require.TestingT, text []byte, err, refused error) {
	if err == nil {
		require.NoError(t, refused, "%s", text)
		return
	}
	if refused != nil {
		return
	}
	for _, problem := range asProblems(err) {
		said := problem.Path + ": " + problem.Problem + ";"
		require.False(t, sayable.MatchString(said) && !beyond.MatchString(said), "the schema takes this: %s\n%s", said, text)
	}
}

func asProblems(err error) (all []*gamefile.Error) {
	var joined interface{ Unwrap() []error }
	if errors.As(err, &joined) {
		for _, e := range joined.Unwrap() {
			var problem *gamefile.Error
			if errors.As(e, &problem) {
				all = append(all, problem)
			}
		}
	}
	return all
}

func TestGamesNameTheirSchemaAndAreOfIt(t *testing.T) {
	files, err := games.FS.ReadDir(".")
	require.NoError(t, err)
	for _, f := range files {
		text, err := games.FS.ReadFile(f.Name())
		require.NoError(t, err)
		require.True(t, bytes.HasPrefix(text, []byte("# yaml-language-server: $schema="+filepath.Base(schemaPath)+"\n")), f.Name())
		agrees(t, text, nil)
	}
	block := regexp.MustCompile("(?ms)^```yaml game ?[a-z-]*\n(.*?)^```$")
	pages, err := fs.Glob(os.DirFS("../../docs"), "*/*.md")
	require.NoError(t, err)
	n := 0
	for _, page := range pages {
		text, err := os.ReadFile(filepath.Join("../../docs", page))
		require.NoError(t, err)
		for _, found := range block.FindAllSubmatch(text, -1) {
			agrees(t, found[1], nil)
			n++
		}
	}
	require.Greater(t, n, 10)
}

// place is a value of testdata/complete.yaml and its key.
type place struct {
	key    *gamefile.Key
	path   string
	node   *yaml.Node
	parent *yaml.Node // a mapping that has it, or nil
}

func places(k *gamefile.Key, path string, node, parent *yaml.Node) []place {
	all := []place{{k, path, node, parent}}
	if path != "" {
		path += "."
	}
	switch node.Kind {
	case yaml.MappingNode:
		in := k.As(gamefile.Mapping)
		for i := 0; i+1 < len(node.Content); i += 2 {
			of := k.Of
			if in.Kind == gamefile.Mapping {
				of = in.Called(node.Content[i].Value)
			}
			all = append(all, places(of, path+node.Content[i].Value, node.Content[i+1], node)...)
		}
	case yaml.SequenceNode:
		for i, item := range node.Content {
			all = append(all, places(k.Of, fmt.Sprintf("%s[%d]", strings.TrimSuffix(path, "."), i), item, nil)...)
		}
	}
	return all
}

// complete is testdata/complete.yaml, a game that uses every key.
func complete(t *testing.T) (root *yaml.Node, all []place) {
	text, err := os.ReadFile("testdata/complete.yaml")
	require.NoError(t, err)
	var document yaml.Node
	require.NoError(t, yaml.Unmarshal(text, &document))
	return document.Content[0], places(gamefile.File(), "", document.Content[0], nil)
}

func parseNode(t *testing.T, root *yaml.Node) (*game.Game, error, error) {
	text, err := yaml.Marshal(root)
	require.NoError(t, err)
	g, wrong := gamefile.Parse("g.yaml", text)
	refused := validate(t, root)
	agree(t, text, wrong, refused)
	return g, wrong, refused
}

// at are the problems with a value, or with what is in it.
func at(err error, path string) (all []string) {
	for _, problem := range asProblems(err) {
		if rest, ok := strings.CutPrefix(problem.Path, path); ok && (rest == "" || rest[0] == '.' || rest[0] == '[') {
			all = append(all, problem.Problem)
		}
	}
	return all
}

func TestEveryKeyIsInTheCompleteGame(t *testing.T) {
	root, all := complete(t)
	_, wrong, refused := parseNode(t, root)
	require.NoError(t, wrong)
	require.NoError(t, refused)
	used := map[*gamefile.Key]bool{}
	for _, p := range all {
		used[p.key] = true
	}
	var look func(k *gamefile.Key, path string)
	look = func(k *gamefile.Key, path string) {
		require.True(t, used[k], "testdata/complete.yaml has no %s", path)
		if k.Of != nil {
			look(k.Of, path+".…")
		}
		for i := range k.Keys {
			look(&k.Keys[i], path+"."+k.Keys[i].Name)
		}
	}
	look(gamefile.File(), "")
}

// otherBounds are keys whose bounds depend on other keys too: the grace, the window, whether
// days are those of peers, and how long a play is valid.
var otherBounds = []string{"lives.day", "lives.week", "lives.month", "duels.queue.cap", "badges.known.days", "modes.typing.challenge.seconds"}

// TestReaderAndSchemaAgree changes the complete game at each key, in ways that the key's entry
// in the table permits or not.
func TestReaderAndSchemaAgree(t *testing.T) {
	root, all := complete(t)
	for _, p := range all {
		before := *p.node
		is := func(n yaml.Node) (*game.Game, error, error) {
			*p.node = n
			defer func() { *p.node = before }()
			return parseNode(t, root)
		}
		refusedBy := func(what string, n yaml.Node, schemaToo bool) {
			_, wrong, refused := is(n)
			path, _, _ := strings.Cut(p.path, "[") // package game reports some items at their list
			require.NotEmpty(t, at(wrong, path), "the reader takes %s at %s: %v", what, p.path, wrong)
			if schemaToo {
				require.Error(t, refused, "the schema takes %s at %s", what, p.path)
			}
		}
		if p.path == "" {
			continue
		}
		refusedBy("another kind", otherKind(p.key), true)
		for _, wrong := range outside(p.key, before) {
			refusedBy(wrong.Value, wrong, p.key.Kind != gamefile.Duration)
		}
		for _, bound := range atBounds(p.key) {
			_, wrong, refused := is(bound)
			require.NoError(t, refused, "the schema refuses %s at %s", bound.Value, p.path)
			for _, problem := range at(wrong, p.path) {
				if !slices.Contains(otherBounds, p.path) {
					require.NotContains(t, problem, "out of range", "%s at %s", bound.Value, p.path)
				}
			}
		}
		if p.node.Kind == yaml.MappingNode && p.key.As(gamefile.Mapping).Kind == gamefile.Mapping {
			more := before
			more.Content = append(slices.Clone(before.Content), &yaml.Node{Kind: yaml.ScalarNode, Value: "nonsense"}, &yaml.Node{Kind: yaml.ScalarNode, Value: "1"})
			_, wrong, refused := is(more)
			require.Equal(t, []string{"the key is unknown"}, at(wrong, p.path+".nonsense"))
			require.Error(t, refused, p.path)
		}
	}
}

func TestDefaultsAreThoseOfTheTable(t *testing.T) {
	root, all := complete(t)
	for _, p := range all {
		if p.parent == nil || p.key.Default == "" && p.key.Required == "" {
			continue
		}
		i := slices.Index(p.parent.Content, p.node)
		entries := p.parent.Content
		p.parent.Content = append(slices.Clone(entries[:i-1]), entries[i+1:]...)
		without, wrong, refused := parseNode(t, root)
		p.parent.Content = entries
		if p.key.Required != "" {
			require.Equal(t, []string{"it is missing"}, at(wrong, p.path))
			require.Error(t, refused, p.path)
			continue
		}
		before := *p.node
		var usual yaml.Node
		require.NoError(t, yaml.Unmarshal([]byte(p.key.Default), &usual))
		*p.node = *usual.Content[0]
		with, said, _ := parseNode(t, root)
		*p.node = before
		require.Equal(t, with, without, p.path)
		require.Equal(t, len(asProblems(said)), len(asProblems(wrong)), "%s: %v, without it %v", p.path, said, wrong)
	}
}

func scalarNode(s string) yaml.Node { return yaml.Node{Kind: yaml.ScalarNode, Value: s} }

// textNode is a text whatever it looks like.
func textNode(s string) yaml.Node {
	return yaml.Node{Kind: yaml.ScalarNode, Value: s, Style: yaml.DoubleQuotedStyle}
}

func otherKind(k *gamefile.Key) yaml.Node {
	if k.Kind == gamefile.List {
		return scalarNode("5")
	}
	return yaml.Node{Kind: yaml.SequenceNode, Content: []*yaml.Node{{Kind: yaml.ScalarNode, Value: "x"}}}
}

// outside are values beyond the bounds of a key, or of another form.
func outside(k *gamefile.Key, right yaml.Node) (all []yaml.Node) {
	count := func(bound string, by int) int {
		n, err := strconv.Atoi(bound)
		if err != nil {
			return -1
		}
		return n + by
	}
	scalars := func(values ...string) {
		for _, v := range values {
			all = append(all, scalarNode(v))
		}
	}
	switch k.Kind {
	case gamefile.Text:
		if n := count(k.Max, 1); n > 0 {
			all = append(all, textNode(strings.Repeat("a", n)))
		}
		if k.Min != "" {
			all = append(all, textNode(""))
		}
		if form := regexp.MustCompile(k.Pattern); !form.MatchString("?") {
			all = append(all, textNode("?"))
		} else if !form.MatchString(" ") {
			all = append(all, textNode(" "))
		}
	case gamefile.Choice:
		scalars("nonsense")
	case gamefile.Boolean:
		scalars("maybe", "1")
	case gamefile.Number:
		if k.Min != "" {
			scalars(stepped(k.Min, k.Decimals, -1), stepped(k.Max, k.Decimals, 1))
		}
		scalars("some")
	case gamefile.ModeScore:
		scalars("some")
	case gamefile.Duration:
		scalars("1.5h")
		if k.Max != "" {
			scalars("9999d")
		}
		if d, _ := gamefile.ParseDuration(k.Min); d > 0 && !slices.Contains(k.Words, gamefile.Off) { // 0s is off
			scalars(strconv.FormatInt(int64(d.Seconds())-1, 10) + "s")
		}
	case gamefile.Rate:
		scalars("0/1m", "10001/1m", "20", "20/", "x/1m")
	case gamefile.Percent:
		scalars("0%", "1001%", "5", "x%")
	case gamefile.Date:
		scalars("2026-02-30", "soon")
	case gamefile.List, gamefile.Table:
		if right.Kind != yaml.SequenceNode && right.Kind != yaml.MappingNode {
			return nil
		}
		if k.Min != "" {
			empty := right
			empty.Content = nil
			all = append(all, empty)
		}
		if n := count(k.Max, 1); n > 0 && n < 200 {
			full := right
			full.Content = nil
			for i := range n {
				if k.Kind == gamefile.Table {
					full.Content = append(full.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: fmt.Sprintf("n%d", i)})
				}
				full.Content = append(full.Content, right.Content[1%len(right.Content)])
			}
			all = append(all, full)
		}
		if k.Kind == gamefile.Table && k.Pattern != "" {
			odd := right
			odd.Content = append(slices.Clone(right.Content), &yaml.Node{Kind: yaml.ScalarNode, Value: "o?d"}, right.Content[1])
			all = append(all, odd)
		}
	}
	return all
}

func atBounds(k *gamefile.Key) (all []yaml.Node) {
	if (k.Kind == gamefile.Number || k.Kind == gamefile.Duration || k.Kind == gamefile.Percent) && k.Min != "" {
		return []yaml.Node{scalarNode(k.Min), scalarNode(k.Max)}
	}
	return nil
}

// stepped is a number and one step of its last decimal.
func stepped(number string, decimals int, by game.Score) string {
	n, _ := game.ParseScaled(number, decimals)
	return game.FormatScaled(n+by, decimals)
}
