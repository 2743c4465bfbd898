package graph

import (
	"fmt"
	"strings"
	"testing"
)

// dear are the dearest documents that are known: near the bounds, and each
// after a weakness of some validator or executor.
func dear() map[string]string {
	numbered := func(n int, format string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
	four := func(s string) string { return strings.Repeat(s+" ", 4) }
	others := func(body string) string {
		return numbered(maxDefinitions-2, "query q%d { ...f } ") + `query A { ...f } fragment f on Query ` + body
	}
	introspect := func(inner string) string {
		return `query A { __schema { types { fields { type { fields { type { ` + inner + `} } } } } } }`
	}
	leaves := four(`name description kind isOneOf specifiedByURL`)
	return map[string]string{
		"one name":                  `query A { ` + strings.Repeat(`__typename `, 498) + `}`,
		"four at each level":        `query A { __schema { queryType { ` + four(`ofType { `+four(`ofType { `+four(`ofType { `+four(`name`)+`}`)+`}`)+`}`) + `} } }`,
		"undefined fragments":       `query A { ` + numbered(450, "...f%d ") + `}`,
		"fragments in pairs":        `query A { ` + strings.Repeat(numbered(15, "...f%d "), 30) + `} ` + numbered(15, "fragment f%d on Query { __schema { description } } "),
		"unknown types":             `query A { ` + strings.Repeat(`... on `+strings.Repeat("a", 600)+` { a } `, 100) + `}`,
		"unknown fields":            others(`{ ` + numbered(430, "n%d ") + `}`),
		"known fields":              others(`{ __schema { ` + strings.Repeat(`description `, 430) + `} }`),
		"different fields":          others(`{ __schema { ` + strings.Repeat(`types { kind } `, 180) + `} }`),
		"values":                    others(`{ getEncryptionMetricsSummary(timeframeHours: [` + strings.Repeat(`1 `, 860) + `]) }`),
		"values of a directive":     others(`{ getEncryptionMetricsSummary @skip(if: [` + strings.Repeat(`1 `, 860) + `]) }`),
		"objects":                   others(`{ getEncryptionMetricsSummary(timeframeHours: {` + strings.Repeat(`a: 1 `, 280) + `}) }`),
		"deep values":               others(`{ getEncryptionMetricsSummary(timeframeHours: ` + strings.Repeat(`[`, 420) + strings.Repeat(`]`, 420) + `) }`),
		"arguments":                 others(`{ getEncryptionMetricsSummary(` + strings.Repeat(`timeframeHours: 1 `, 280) + `) }`),
		"unknown arguments":         others(`{ getEncryptionMetricsSummary(` + numbered(280, `a%d: 1 `) + `) }`),
		"directives":                others(strings.Repeat(`@skip(if: true) `, 140) + `{ __typename }`),
		"variables":                 `query A(` + numbered(150, `$a%d: Int! `) + `) { getEncryptionMetricsSummary(timeframeHours: [` + numbered(150, `$a%d `) + `]) }`,
		"inline fragments":          `query A { ` + strings.Repeat(`... { `, 320) + `__typename` + strings.Repeat(` }`, 320) + `}`,
		"aliases of each object":    introspect(leaves + numbered(15, "a%d: description ")),
		"fragments of each object":  introspect(leaves+strings.Repeat(`... { ... { name } } `, 0)+strings.Repeat(`...e `, 200)) + ` fragment e on __Type { kind }`,
		"inlines of each object":    introspect(four(`name`) + strings.Repeat(`... { `, 300) + strings.Repeat(` }`, 300)),
		"directives of each object": introspect(leaves+strings.Repeat(`... @include(if: true) { ...e } `, 50)) + ` fragment e on __Type { isOneOf @include(if: true) }`,
		"the widest introspection": `query A { __schema { types { ` + wide + ` fields { ` + wide + ` type { ` + wide + ` fields { ` + wide +
			` args { ` + wide + ` type { ` + wide + ` enumValues { ` + wide + ` } } } } } } } } }`,
	}
}

func BenchmarkDearDocuments(b *testing.B) {
	for name, query := range dear() {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			s := newStand(true)
			for b.Loop() {
				got := s.do(b, request(`{"operationName":"A","query":"`+query+`"}`))
				b.ReportMetric(float64(len(got.Text)), "answer-B")
				if len(got.Errors) > 0 {
					b.Log(got.message())
				}
			}
		})
	}
}
