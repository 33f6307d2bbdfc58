import { named, type Static, Type } from '@icosa/contract'
import {
  AuditName,
  api,
  capitalPaged,
  count,
  Nothing,
  next,
  opt,
  Tags,
  Text,
  Token,
  text,
  time,
} from '../shapes/contract.ts'

const FrameworkControl = named('FrameworkControl', {
  ControlName: Text,
  ControlInputParameters: opt(
    Type.Array(named('ControlInputParameter', { ParameterName: opt(Text), ParameterValue: opt(Text) }), {
      maxItems: 20,
    }),
  ),
  ControlScope: opt(
    named('ControlScope', {
      ComplianceResourceIds: opt(Type.Array(Text, { maxItems: 100 })),
      ComplianceResourceTypes: opt(Type.Array(Text, { maxItems: 100 })),
      Tags: opt(Tags),
    }),
  ),
})
export type FrameworkControl = Static<typeof FrameworkControl>
const Controls = Type.Array(FrameworkControl, { minItems: 1, maxItems: 20 })

export const frameworks = {
  CreateFramework: api.post('/audit/frameworks', {
    summary: 'Create a framework: controls that are evaluated for its reports.',
    body: named('CreateFrameworkInput', {
      FrameworkName: AuditName,
      FrameworkDescription: opt(Text),
      FrameworkControls: Controls,
      IdempotencyToken: opt(Token),
      FrameworkTags: opt(Tags),
    }),
    replies: { 200: named('CreateFrameworkOutput', { FrameworkName: text, FrameworkArn: text }) },
  }),
  DescribeFramework: api.get('/audit/frameworks/{frameworkName}', {
    summary: 'Read a framework.',
    replies: {
      200: named('DescribeFrameworkOutput', {
        FrameworkName: text,
        FrameworkArn: text,
        FrameworkDescription: text,
        FrameworkControls: opt(Type.Array(FrameworkControl)),
        CreationTime: time,
        DeploymentStatus: text,
        FrameworkStatus: text,
        IdempotencyToken: text,
      }),
    },
  }),
  UpdateFramework: api.put('/audit/frameworks/{frameworkName}', {
    summary: 'Change the description or the controls of a framework.',
    extension: true,
    body: named('UpdateFrameworkInput', {
      FrameworkDescription: opt(Text),
      FrameworkControls: opt(Controls),
      IdempotencyToken: opt(Token),
    }),
    replies: { 200: named('UpdateFrameworkOutput', { FrameworkName: text, FrameworkArn: text, CreationTime: time }) },
  }),
  DeleteFramework: api.delete('/audit/frameworks/{frameworkName}', {
    summary: 'Delete a framework.',
    replies: { 200: Nothing },
  }),
  ListFrameworks: api.get('/audit/frameworks', {
    summary: 'List the frameworks.',
    extension: true,
    query: Type.Object(capitalPaged),
    replies: {
      200: named('ListFrameworksOutput', {
        Frameworks: Type.Array(
          named('Framework', {
            FrameworkName: text,
            FrameworkArn: text,
            FrameworkDescription: text,
            NumberOfControls: count,
            CreationTime: time,
            DeploymentStatus: text,
          }),
        ),
        ...next,
      }),
    },
  }),
}
