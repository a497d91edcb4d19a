package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestGameDiffNamesBadges(t *testing.T) {
	const modes = "name: words\nmodes:\n  word: {max: 600, order: asc, decimals: 2}\nbadges:\n"
	status, out, _ := runGameCommand("diff",
		gameFile(t, modes+"  a: {title: 'One, x: \"two\"', streak: 7}\n  b: {title: B, streak: 3}\n  c: {title: C, wins: 3}\n"),
		gameFile(t, modes+"  a: {title: 'One, x: \"two\"', streak: 7}\n  b: {title: Under a minute, mode: word, score: 60}\n  d: {title: D, wins: 3}\n"))
	require.Equal(t, statusGood, status)
	require.Equal(t, []string{
		`safe         badges.b: "B" for streak 3 -> "Under a minute" for score 60 of word`,
		`safe         badges.c: removed`,
		`safe         badges.d: "D" for wins 3`,
	}, strings.Split(out, "\n")[:3], out)
}
