import type { Figure, Statistic } from './figures.ts'

export interface Program {
  readonly title: string
  /** File and arguments for node. */
  readonly command: readonly string[]
  /** Sizes for a run of some minutes; the environment overrides them. */
  readonly settings?: Readonly<Record<string, string>>
}

/** A subject of `npm run bench`, with a page in docs/benchmarks. */
export interface Subject {
  readonly title: string
  readonly question: string
  readonly programs: Readonly<Record<string, Program>>
  readonly headline: { readonly program: string; readonly figure: RegExp; readonly statistic?: Statistic }
  readonly chart: Chart
}

/** Figures of one unit as bars. */
export interface Chart {
  readonly title: string
  /** All programs of the subject if undefined. */
  readonly program?: string
  readonly unit: Figure['unit']
  readonly statistic?: Statistic
  readonly figures?: RegExp
}

export const subjects: Readonly<Record<string, Subject>> = {
  requests: {
    title: 'Requests and credentials',
    question: 'What does the platform add to a request?',
    programs: {
      path: { title: 'Authenticated reads of one row', command: ['bench/requests/run.ts'] },
      reads: { title: 'Reads of five services', command: ['bench/reads/run.ts'] },
      identity: { title: 'Token endpoint', command: ['bench/identity/run.ts'] },
      signatures: { title: 'Signatures by hardware security modules', command: ['bench/modules/run.ts'] },
      audit: { title: 'Audit log and limits', command: ['bench/audit/run.ts'] },
      traces: { title: 'Tracing', command: ['bench/traces/run.ts'] },
      watching: { title: 'Live requests', command: ['bench/watching/run.ts'] },
      pooler: { title: 'PgBouncer', command: ['bench/pooler/run.ts'] },
      router: { title: 'Router of cells', command: ['bench/router/run.ts'] },
      fence: { title: 'Fence of tenants that move', command: ['bench/fence/run.ts'] },
    },
    headline: { program: 'path', figure: /^read of one row, 32 connections$/ },
    chart: {
      title: 'Throughput as a multiple of the same work without the platform',
      unit: '×',
      figures: /^(?!.*(CPU|at once))/,
    },
  },
  jobs: {
    title: 'Jobs and timers',
    question: 'How soon does a job run, and does the backlog of another tenant delay it?',
    programs: { latency: { title: 'From enqueue to start', command: ['bench/jobs/run.ts'] } },
    headline: { program: 'latency', figure: /^p50 beside/ },
    chart: { title: 'Time from enqueue to start', unit: 'ms' },
  },
  ledger: {
    title: 'Banking ledger',
    question: 'How many payments a second does the ledger take, and does its size matter?',
    programs: {
      transfers: { title: 'Transfers against a bare transaction', command: ['bench/banking/run.ts'] },
      payments: { title: 'Whole payments, alone and together', command: ['bench/banking/payments.ts'] },
      scale: { title: 'Small and large ledgers in turns', command: ['bench/banking/scale.ts'] },
    },
    headline: { program: 'transfers', figure: /^transfers of different requests together, / },
    chart: { title: 'Transfers as a multiple of bare transactions', program: 'transfers', unit: '×' },
  },
  search: {
    title: 'Search',
    question: 'How does search time grow with what is searched?',
    programs: {
      podcasts: { title: 'Podcast episodes', command: ['bench/podcasts/run.ts'] },
      contributions: { title: 'Contributions', command: ['bench/contributions/run.ts'] },
    },
    headline: { program: 'podcasts', figure: /^two words, p50 among/ },
    chart: {
      title: 'Searches of podcast episodes, p95',
      program: 'podcasts',
      unit: 'ms',
      statistic: 'p95',
      figures: /^(one word|two words|three words)(, filtered)?, [\d,]+ episodes$/,
    },
  },
  faces: {
    title: 'Faces',
    question: 'How fast are faces found, described and identified?',
    programs: {
      speed: { title: 'Photos over HTTP and by the networks alone', command: ['bench/faces/run.ts'] },
      identify: { title: 'Identification in a large group', command: ['bench/faces/run.ts', '--identify', '10000'] },
      sizes: { title: 'Small faces', command: ['bench/faces/run.ts', '--sizes'] },
    },
    headline: { program: 'speed', figure: /over HTTP$/ },
    chart: { title: 'A photo of 640 px with one face, by stage, p50', program: 'speed', unit: 'ms', statistic: 'p50' },
  },
  language: {
    title: 'Language understanding',
    question: 'How long do training and prediction take?',
    programs: {
      sizes: {
        title: 'Size of the app',
        command: ['bench/language/sizes.ts'],
        settings: { BENCH_PARTS: 'sizes', BENCH_INTENTS: '50' },
      },
      many: {
        title: 'Many published apps on one node',
        command: ['bench/language/sizes.ts'],
        settings: { BENCH_PARTS: 'many', BENCH_APPS: '100' },
      },
      trainings: {
        title: 'Trainings of another tenant',
        command: ['bench/language/sizes.ts'],
        settings: { BENCH_PARTS: 'trainings', BENCH_PROBES: '400' },
      },
    },
    headline: { program: 'sizes', figure: /^50 intents.*, training, CPU$/ },
    chart: { title: 'Predictions, p50', unit: 'ms', statistic: 'p50' },
  },
  sandboxes: {
    title: 'Functions and sandboxes',
    question: 'What does isolation cost?',
    programs: {
      functions: { title: 'Functions in each sandbox', command: ['bench/functions/run.ts'] },
      many: { title: 'Many functions of which ten are called', command: ['bench/functions/many.ts'] },
      runtimes: { title: 'A process in each sandbox', command: ['bench/sandbox/run.ts'] },
      pools: { title: 'CPU work in pools of threads and processes', command: ['bench/compute/run.ts'] },
      unpack: { title: 'Emulated executables', command: ['bench/unpack/run.ts'] },
      samples: { title: 'Packed executables restored', command: ['bench/unpack/samples.ts'] },
    },
    headline: { program: 'functions', figure: /^nodejs24 in runsc, calls$/ },
    chart: {
      title: 'Calls of a function a second, as a multiple of those to a bare process',
      program: 'functions',
      unit: '×',
    },
  },
  backups: {
    title: 'Backups',
    question: 'How fast are backups, and how many can there be?',
    programs: {
      databases: { title: 'Backups of a database', command: ['bench/backup/run.ts'] },
      points: { title: 'Recovery points and plans', command: ['bench/backup/scale.ts'] },
    },
    headline: { program: 'databases', figure: /^first backup.*throughput$/ },
    chart: { title: 'Throughput as a multiple of `pg_dump | restic` by hand', program: 'databases', unit: '×' },
  },
  events: {
    title: 'Event detection',
    question: 'How many device messages a second does a node take and evaluate?',
    programs: {
      ingestion: { title: 'Ingestion', command: ['bench/events/run.ts', 'ingestion'] },
      evaluation: { title: 'Evaluation', command: ['bench/events/run.ts', 'evaluation'] },
      keys: { title: 'Cost by number of stored keys', command: ['bench/events/run.ts', 'flat'] },
    },
    headline: { program: 'ingestion', figure: /^messages stored$/ },
    chart: { title: 'Messages a second', unit: '/s' },
  },
  robotics: {
    title: 'Robotics statistics',
    question: 'How fast are cached answers?',
    programs: { season: { title: 'Cached answers and the import of a season', command: ['bench/robotics/run.ts'] } },
    headline: { program: 'season', figure: /^cached answer, 200$/ },
    chart: { title: 'Throughput as a multiple of bare Fastify', unit: '×' },
  },
  startup: {
    title: 'Startup and memory',
    question: 'How much memory does a node need, and how long does it take to start?',
    programs: {
      boot: { title: 'A packaged node with 20 services of 50 operations', command: ['bench/boot/run.ts'] },
      first: { title: 'From an empty folder to first results', command: ['bench/first/run.ts'] },
    },
    headline: { program: 'boot', figure: /^memory of the idle node$/ },
    chart: { title: 'Start of a packaged node', program: 'boot', unit: 'ms' },
  },
  files: {
    title: 'Files and exports',
    question: 'How fast are files streamed, and with how much memory?',
    programs: {
      streams: { title: 'A large file up and down', command: ['bench/files/run.ts'] },
      export: { title: 'An export with its files', command: ['bench/contributions-export/run.ts'] },
    },
    headline: { program: 'streams', figure: /^memory growth of the node/ },
    chart: { title: 'Memory', unit: 'MiB' },
  },
  overload: {
    title: 'Overload and neighbours',
    question: 'What does one tenant notice when another floods the platform?',
    programs: {
      neighbours: { title: 'Work of one tenant beside a flood of another', command: ['bench/neighbours/run.ts'] },
      overload: { title: 'A node offered ten times its capacity', command: ['bench/overload/run.ts'] },
    },
    headline: { program: 'neighbours', figure: /^job-scheduler, beside/ },
    chart: { title: 'p99 beside a flood, as a multiple of p99 without it', program: 'neighbours', unit: '×' },
  },
  machines: {
    title: 'Machines and databases',
    question: 'What does a PostgreSQL machine cost?',
    programs: { memory: { title: 'Twenty machines on one node', command: ['bench/machines/run.ts'] } },
    headline: { program: 'memory', figure: /^memory of an idle machine/, statistic: 'p50' },
    chart: { title: 'Throughput of pgbench as a multiple of a direct connection', unit: '×' },
  },
}
