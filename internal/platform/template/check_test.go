package template_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/platform/template"
)

func TestCheckSaysWhatATemplateWouldTake(t *testing.T) {
	list := template.Parameter{Name: "AllowedOrigins", Type: "CommaDelimitedList", AllowedPattern: "^https://[a-z.]+$", Wanted: "origins"}
	number := template.Parameter{Name: "QueueWindow", Type: "Number", Min: "1", Max: "60"}
	unbounded := template.Parameter{Name: "ThrottlingRate", Type: "Number", Min: "1"}
	choice := template.Parameter{Name: "QueueMode", Type: "String", AllowedValues: []string{"off", "on"}}
	for _, test := range []struct {
		p           template.Parameter
		value, says string // "": it is accepted
	}{
		{list, "https://a.example, https://b.example", ""},
		{list, "https://a.example,b.example", "want origins"},
		{number, "60", ""},
		{number, "61", "want a whole number from 1 to 60"},
		{number, "1.5", "want a whole number from 1 to 60"},
		{unbounded, "0", "want a whole number from 1"},
		{choice, "on", ""},
		{choice, "On", "want one of off, on"},
	} {
		err := test.p.Check(test.value)
		if test.says == "" {
			require.NoError(t, err, test.value)
			continue
		}
		require.EqualError(t, err, test.says, test.value)
	}
	require.Equal(t, "UPSTASH_REDIS_REST_URL", template.Parameter{Name: "UpstashRedisRestUrl"}.Setting())
}

// Every default passes as a value, and every bound is a number.
func TestEveryDefaultPassesTheCheck(t *testing.T) {
	for _, p := range project(t).Parameters {
		require.False(t, p.AllowedPattern != "" && p.Wanted == "", "%s does not say what it takes", p.Name)
		if p.Default != "" {
			require.NoError(t, p.Check(p.Default), p.Name)
		}
		for _, bound := range []string{p.Min, p.Max} {
			require.Regexp(t, `^[0-9]*$`, bound, p.Name)
		}
	}
}
