// Command hello is the least that aws-lambda-go can be: what every start-up time is
// compared with.
package main

import "github.com/aws/aws-lambda-go/lambda"

func main() {
	lambda.Start(func() (string, error) { return "hello", nil })
}
