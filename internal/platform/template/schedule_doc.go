// This file parses EventBridge schedule expressions, rate(…) and cron(…), and computes
// when they fire next. All times are UTC, to the minute, as for EventBridge rules.
//
// It knows the rules of
// https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-scheduled-rule-pattern.html
// and no clock: callers pass the time.

package template
