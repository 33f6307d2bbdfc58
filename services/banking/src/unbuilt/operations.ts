export const unbuiltPaths: Readonly<Record<string, string>> = {}
