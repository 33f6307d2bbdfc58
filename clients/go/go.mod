module github.com/icosa/icosa/clients/go

go 1.19
