/** Relative to the store's address, as clients expect; `after` comes last, since some read it only there. */
export function nextLink(url: URL, path: string, token: string): string {
  const others = [...url.searchParams].filter(([name]) => !/^(after|api-version)$/i.test(name))
  const rest = others.length > 0 ? `&${new URLSearchParams(others)}` : ''
  return `${path}?api-version=${versionOf(url)}${rest}&after=${encodeURIComponent(token)}`
}

/** URL of a snapshot's progress. */
export const operationLocation = (url: URL, snapshot: string) =>
  new URL(`../operations?snapshot=${encodeURIComponent(snapshot)}&api-version=${versionOf(url)}`, url).href

const versionOf = ({ searchParams }: URL) =>
  encodeURIComponent([...searchParams].find(([name]) => name.toLowerCase() === 'api-version')?.[1] ?? '')
