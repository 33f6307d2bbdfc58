import type { RequestObserver } from '@icosa/kernel'
import type { Notebook } from './notebook.ts'

export interface ObserverOptions {
  readonly serviceName: string
  /** Header in which a proxy sends the listener's region, two letters. */
  readonly regionHeader: string
  /** Header in which an app identifies its listener. */
  readonly listenerHeader: string
}

/** Records visits of podcasts and episodes. */
export function visitObserver(
  notebook: Notebook,
  { serviceName, regionHeader, listenerHeader }: ObserverOptions,
): RequestObserver {
  return (tenant, service, exchange) => {
    if (service !== serviceName) return
    const { operation, path, status, request } = exchange()
    const kind = kinds[operation]
    if (kind === undefined || status !== 200) return
    const id = path.split('/').at(-1) ?? ''
    const header = (name: string) => String(request.headers[name.toLowerCase()] ?? '')
    notebook.visit({ tenant, kind, id, region: header(regionHeader).toLowerCase(), listener: header(listenerHeader) })
  }
}

const kinds: Readonly<Record<string, 'podcast' | 'episode'>> = {
  getPodcastById: 'podcast',
  getEpisodeById: 'episode',
}
