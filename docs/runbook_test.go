package docs_test

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	leaderboards "github.com/framedle/leaderboards"
	"github.com/framedle/leaderboards/internal/platform/template"
)

var (
	heading = regexp.MustCompile(`(?m)^#+ +(.+)$`)
	// Of a heading GitHub keeps letters, digits, hyphens and underscores.
	dropped  = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
	markup   = regexp.MustCompile("`|\\]\\([^)]*\\)")
	alarmRow = regexp.MustCompile("(?m)^\\| `([A-Z][A-Za-z]+)` \\|.*\\]\\(#([a-z0-9-]+)\\) \\|$")
)

// anchors are those that GitHub gives a page's headings.
func anchors(text string) map[string]bool {
	all := map[string]bool{}
	for _, found := range heading.FindAllStringSubmatch(regexp.MustCompile("(?ms)^```.*?^```$").ReplaceAllString(text, ""), -1) {
		plain := dropped.ReplaceAllString(strings.ToLower(markup.ReplaceAllString(found[1], "")), "")
		all[strings.ReplaceAll(plain, " ", "-")] = true
	}
	return all
}

func TestEveryLinkWithinThePagesLeadsToAHeading(t *testing.T) {
	all := pages(t)
	for page, text := range all {
		for _, found := range link.FindAllStringSubmatch(code.ReplaceAllString(text, ""), -1) {
			path, anchor, has := strings.Cut(found[1], "#")
			if !has || strings.Contains(path, ":") {
				continue
			}
			target := page
			if path != "" {
				target = filepath.Join(filepath.Dir(page), path)
			}
			if !strings.HasSuffix(target, ".md") {
				continue
			}
			require.True(t, anchors(all[target])[anchor], "%s links to %s", page, found[1])
		}
	}
}

// Whoever is woken by an alarm finds it in the runbook, with the section that says
// what to do.
func TestEveryAlarmIsInTheRunbook(t *testing.T) {
	tmpl, err := template.Parse(leaderboards.Template)
	require.NoError(t, err)
	text := read(t, "docs/operate/runbook.md")
	sections := map[string]string{}
	for _, row := range alarmRow.FindAllStringSubmatch(text, -1) {
		sections[row[1]] = row[2]
	}
	alarms := 0
	for _, r := range tmpl.Resources {
		if r.Type != "AWS::CloudWatch::Alarm" {
			continue
		}
		alarms++
		require.Contains(t, sections, r.LogicalID, "docs/operate/runbook.md has no row for the alarm %s", r.LogicalID)
		require.True(t, anchors(text)[sections[r.LogicalID]], r.LogicalID)
		delete(sections, r.LogicalID)
	}
	require.NotZero(t, alarms)
	require.Empty(t, sections, "rows of alarms that template.yaml does not have")
}
