import type { OnStop, Platform } from '@icosa/kernel'
import { type FeedParser, openParser } from './feeds/parse/parser.ts'
import { type Notebook, openNotebook } from './popularity/notebook.ts'
import type { DirectorySettings } from './settings.ts'
import { type English, openEnglish } from './spelling/english.ts'
import { type Meter, openMeter } from './usage/meter.ts'

export interface ServiceRuntime {
  /** Parses feeds in threads. */
  readonly parser: FeedParser
  /** Counts requests. */
  readonly meter: Meter
  /** Records searches and visits. */
  readonly notebook: Notebook
  /** English dictionary. */
  readonly english: English
}

export const startWith =
  ({ monthlyQuota }: DirectorySettings) =>
  (platform: Platform, onStop: OnStop): ServiceRuntime => {
    const parser = openParser(platform.metrics)
    onStop(() => parser.close())
    const english = openEnglish(platform.metrics)
    onStop(() => english.close())
    const meter = openMeter(platform, monthlyQuota)
    onStop(() => meter.flush())
    const notebook = openNotebook(platform)
    onStop(() => notebook.flush())
    return { parser, meter, notebook, english }
  }
