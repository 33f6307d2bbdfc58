/** What an operator decides about the directory. */
export interface DirectorySettings {
  /** Where callers reach the service, for addresses that are part of its replies. */
  readonly publicUrl: string
  /** How many requests a tenant may send in a calendar month (UTC); as many as it likes if not given. */
  readonly monthlyQuota?: number
  /** How the crawler introduces itself to the hosts of feeds. */
  readonly userAgent: string
  /** How long a host has to answer completely. */
  readonly timeoutMs: number
  /** How long a host is left alone between two requests, which never overlap. */
  readonly hostPauseMs: number
}

export const defaultSettings: DirectorySettings = {
  publicUrl: 'http://127.0.0.1:4000/podcast-directory',
  userAgent: 'icosa-podcast-directory/1.0',
  timeoutMs: 30_000,
  hostPauseMs: 100,
}

/** At the start, not at the first reply. */
export function checkSettings({ publicUrl, monthlyQuota }: DirectorySettings): void {
  if (!/^https?:$/.test(URL.parse(publicUrl)?.protocol ?? ''))
    throw new Error(
      `The public address of the podcast directory is '${publicUrl}': set it to such as https://host/path.`,
    )
  if (monthlyQuota !== undefined && !(Number.isSafeInteger(monthlyQuota) && monthlyQuota > 0))
    throw new Error(`The monthly quota of the podcast directory is ${monthlyQuota}: set it to a whole number above 0.`)
}
