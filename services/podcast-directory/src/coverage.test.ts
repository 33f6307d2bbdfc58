import { coverService } from '@icosa/testing/cover'
import { podcastDirectory } from './index.ts'
import { seed } from './testing/seed.ts'

coverService(podcastDirectory(), {
  seed,
  fields: { 'submitPodcast email': 'shown if the feed has none: src/feeds/submit.test.ts' },
})
