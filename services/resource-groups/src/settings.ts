/** What an operator decides about resource groups. */
export interface ResourceGroupsSettings {
  /** The platform's region: part of every group's name, and of every signature. */
  readonly region: string
  /** An http(s) address that gets the events of groups as JSON. Without one they are lines in the log. */
  readonly eventsUrl?: string | undefined
}

export const defaultSettings: ResourceGroupsSettings = { region: 'us-east-1' }

/** At the start, not at the first event. */
export function checkSettings({ eventsUrl }: ResourceGroupsSettings): void {
  if (eventsUrl !== undefined && !/^https?:$/.test(URL.parse(eventsUrl)?.protocol ?? ''))
    throw new Error(`The address for events of resource groups is '${eventsUrl}': set it to such as https://host/path.`)
}
