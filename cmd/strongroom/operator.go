package main

import (
	"context"
	"os/user"
	"strings"
	"unicode"

	"strongroom/internal/admin"
	"strongroom/internal/domain"
	"strongroom/internal/service"
)

// The use cases may not know the API that they are for.
var _ admin.UseCases = (*service.Service)(nil)

// asOperator has ctx act as whoever runs this command: who can read the
// database and the root key may do anything, and the trail keeps the name.
func asOperator(ctx context.Context) context.Context {
	name := "unknown"
	if u, err := user.Current(); err == nil {
		name = u.Username
	}
	return domain.WithOperator(ctx, domain.Operator{Name: "command:" + printableName(name), Role: domain.RoleOperator})
}

func printableName(name string) string {
	name = strings.Map(func(c rune) rune {
		if !unicode.IsPrint(c) {
			return -1
		}
		return c
	}, strings.ToValidUTF8(name, ""))
	if runes := []rune(name); len(runes) > 100 {
		return string(runes[:100])
	}
	return name
}
