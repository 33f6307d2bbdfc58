/** A client and the program that calls all its operations, or makes a journey where it has no model. */
export interface Client {
  readonly language: string
  /** Debian packages that it needs. */
  readonly packages: readonly string[]
  /** Command in this folder; it prints its calls as JSON. */
  readonly command: readonly [string, ...string[]]
  /** Service of a journey, a program that prints only `ok`. */
  readonly journey?: string
}

const python = '/usr/bin/python3' // Debian's, which sees the packages
const azure = (name: string): Client => ({
  language: 'Python',
  packages: ['python3-azure'],
  command: [python, 'python/azure_sdk/management.py', name],
})
const cognitive = (name: string): Client => ({
  language: 'Python',
  packages: ['python3-azure'],
  command: [python, 'python/azure_sdk/cognitive.py', name],
})

const go = (name: string, ...packages: string[]): Client => ({
  language: 'Go',
  packages: ['golang-go', ...packages],
  command: ['go/run', name],
})

const journey = (service: string, program: string, ...packages: string[]): Client => ({
  ...{ language: 'Python', packages, journey: service },
  command: [python, `python/${program}.py`],
})

export const clients: Readonly<Record<string, Client>> = {
  boto3: { language: 'Python', packages: ['python3-boto3'], command: [python, 'python/aws/boto.py'] },
  'aws-cli': { language: 'shell', packages: ['awscli'], command: [python, 'python/aws/cli.py'] },
  'azure-mgmt-apimanagement': azure('azure-mgmt-apimanagement'),
  'azure-mgmt-appconfiguration': azure('azure-mgmt-appconfiguration'),
  'azure-mgmt-scheduler': azure('azure-mgmt-scheduler'),
  'azure-mgmt-sql': azure('azure-mgmt-sql'),
  'azure-mgmt-sqlvirtualmachine': azure('azure-mgmt-sqlvirtualmachine'),
  'azure-luis-authoring': cognitive('luis-authoring'),
  'azure-luis-runtime': cognitive('luis-runtime'),
  'azure-face': cognitive('face'),
  'aws-sdk-go': go('aws', 'golang-github-aws-aws-sdk-go-dev'),
  'azure-sdk-for-go': go('azure', 'golang-github-azure-azure-sdk-for-go-dev'),
  'azure-appconfiguration': journey('configuration-stores', 'configuration', 'python3-azure'),
  'azure-identity': journey('sql-databases', 'identity', 'python3-azure'),
  'azure-cli': { ...journey('sql-databases', 'cli', 'azure-cli'), language: 'shell' },
  'azure-mgmt-sql-scaling': journey('sql-databases', 'sql', 'python3-azure'),
  'azure-mgmt-sql-restores': journey('sql-databases', 'sql_restores', 'python3-azure', 'python3-psycopg2'),
  'azure-luis-sample': journey('language-authoring', 'language', 'python3-azure'),
  'python-postgresql': journey(
    'sql-databases',
    'databases',
    'python3-psycopg',
    'python3-psycopg2',
    'python3-asyncpg',
    'python3-sqlalchemy',
    'python3-azure',
  ),
  authlib: journey('identity-connect', 'oidc', 'python3-authlib', 'python3-requests'),
  jdbc: {
    ...{ language: 'Java', packages: ['libpostgresql-jdbc-java', 'default-jdk-headless'], journey: 'sql-databases' },
    command: ['java/run', 'Databases'],
  },
}
