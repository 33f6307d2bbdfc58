/** `build_config` and `buildConfig` are the same field. */
export const camel = (name: string): string => name.replace(/_([a-z\d])/g, (_, letter: string) => letter.toUpperCase())
