/** Newest first. */
export const changes: readonly { readonly date: string; readonly title: string; readonly description?: string }[] = [
  {
    date: '2026-11-16T00:00:00.000Z',
    title: 'Version 1.0.0',
    description: 'Assignments, contributions, tags, forms, moderation, search, subscriptions, files and exports.',
  },
]
