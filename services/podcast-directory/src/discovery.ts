import type { Resource, Service } from '@icosa/kernel'
import { anyChange } from './changes/store.ts'
import type { Links } from './links.ts'
import { best } from './lists/best/handlers.ts'
import { chance } from './lists/chance/handlers.ts'
import { curated } from './lists/curated/handlers.ts'
import { curate, curateEveryMs } from './lists/curated/jobs.ts'
import { listLinksAt } from './lists/links.ts'
import { playlists } from './lists/playlists/handlers.ts'
import { reference } from './lists/reference/handlers.ts'
import { serviceName } from './names.ts'
import { popularity } from './popularity/handlers.ts'
import { compactEveryMs, compactNotes, scoreEveryMs, scorePodcasts } from './popularity/jobs.ts'
import { visitObserver } from './popularity/observe.ts'
import { recommendations } from './recommendations/handlers.ts'
import type { ServiceRuntime } from './runtime.ts'
import { search } from './search/handlers.ts'
import { followChanges, followEveryMs, indexEpisodes } from './search/index/jobs.ts'
import { spelling } from './spelling/handlers.ts'
import { learnWords, learnWordsEveryMs } from './spelling/jobs.ts'
import { anyToLearn } from './spelling/store.ts'
import { typeahead } from './typeahead/handlers.ts'
import { learnTerms, learnTermsEveryMs } from './typeahead/jobs.ts'

export interface DiscoveryOptions {
  readonly publicUrl: string
  readonly links: Links
  /** Header in which a proxy sends the listener's region, two letters. */
  readonly regionHeader?: string
  /** Header in which an app identifies its listener. */
  readonly listenerHeader?: string
}

/** Search and browsing. */
export interface Discovery extends Required<Pick<Service<ServiceRuntime>, 'jobs' | 'schedules' | 'observe'>> {
  readonly resources: Readonly<Record<string, Resource<ServiceRuntime>>>
}

export function discovery({
  publicUrl,
  links: baseLinks,
  regionHeader = 'x-listener-region',
  listenerHeader = 'x-listener-id',
}: DiscoveryOptions): Discovery {
  const links = listLinksAt(publicUrl, baseLinks)
  return {
    resources: {
      search: search({ links }),
      typeahead: typeahead({ links }),
      spelling,
      popularity,
      best: best({ links }),
      reference,
      curated: curated({ links }),
      playlists: playlists({ links }),
      chance: chance({ links }),
      recommendations: recommendations({ links }),
    },
    observe: (_, { notebook }) => visitObserver(notebook, { serviceName, regionHeader, listenerHeader }),
    jobs: [followChanges, indexEpisodes, learnWords, learnTerms, scorePodcasts, compactNotes, curate],
    schedules: [
      { job: followChanges, everyMs: followEveryMs, hasWork: anyChange },
      { job: learnWords, everyMs: learnWordsEveryMs, hasWork: anyToLearn },
      { job: learnTerms, everyMs: learnTermsEveryMs },
      { job: scorePodcasts, everyMs: scoreEveryMs },
      { job: compactNotes, everyMs: compactEveryMs },
      { job: curate, everyMs: curateEveryMs },
    ],
  }
}
