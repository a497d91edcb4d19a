package docs_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var (
	// A heading is a noun phrase: it asks nothing, tells nobody to do anything, and says of
	// nothing what it is or does.
	clause   = regexp.MustCompile(`(?i)^(?:\d+\. )?(?:what|when|how|who|whom|where|why|which|whether|is|are|has|does|did|show|send|verify|take|turn|look|make|put|get|use|add|remove|deploy it)\b|\?$|\b(?:is|are|was|were|has|have|does|do|may|can|must|cannot)\b`)
	listItem = regexp.MustCompile(`^\s*(?:[-*]|\d+\.) `)
)

// users are pages that readers other than engineers of this project meet.
func users(t *testing.T) map[string]string {
	all := pages(t)
	for page := range all {
		if !regexp.MustCompile(`^(?:README\.md|docs/(?:README|problems)\.md|docs/(?:start|build|operate|reference)/.*)$`).MatchString(page) {
			delete(all, page)
		}
	}
	return all
}

func TestHeadingsAreNounPhrases(t *testing.T) {
	for page, text := range users(t) {
		for _, found := range heading.FindAllStringSubmatch(regexp.MustCompile("(?ms)^```.*?^```$").ReplaceAllString(text, ""), -1) {
			require.NotRegexp(t, clause, found[1], page)
		}
	}
}

// A paragraph or list item of more than 110 words is not read. Links count by their text, a
// span of code as one word; tables and listings are not prose.
func TestParagraphsAreShort(t *testing.T) {
	for page, text := range users(t) {
		if page == "docs/reference/lbctl.md" {
			continue // made from the texts of the program, and compared with them
		}
		for _, paragraph := range paragraphs(text) {
			require.LessOrEqual(t, wordCount(paragraph), 110, "%s: %s", page, paragraph)
		}
	}
}

func paragraphs(text string) (all []string) {
	text = regexp.MustCompile("(?ms)^ *```.*?^ *```$").ReplaceAllString(text, "")
	var lines []string
	end := func() {
		if len(lines) > 0 {
			all = append(all, strings.Join(lines, " "))
		}
		lines = nil
	}
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		if line == "" || strings.HasPrefix(line, "#") || strings.HasPrefix(strings.TrimSpace(line), "|") || listItem.MatchString(line) {
			end()
		}
		if line != "" && !strings.HasPrefix(line, "#") && !strings.HasPrefix(strings.TrimSpace(line), "|") {
			lines = append(lines, line)
		}
	}
	end()
	return all
}

func wordCount(paragraph string) int {
	paragraph = link.ReplaceAllString(paragraph, "")
	return len(strings.Fields(regexp.MustCompile("`[^`]*`").ReplaceAllString(paragraph, "code")))
}
