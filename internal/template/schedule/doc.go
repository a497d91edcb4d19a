// Package schedule reads EventBridge schedule expressions, rate(…) and cron(…),
// and says when they fire next. All times are UTC, to the minute, as for
// EventBridge rules.
//
// It knows the rules of
// https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-scheduled-rule-pattern.html
// and no clock: callers bring the time.
package schedule
