/** What OpenAPI 3.1 demands of the parts of a document that ours has, as a JSON Schema. */
const text = { type: 'string', minLength: 1 };
const closed = (properties: object, required: readonly string[] = []) => ({
  type: 'object',
  properties,
  required,
  patternProperties: { '^x-': true },
  additionalProperties: false,
});
const mapOf = (values: object, keys?: string) => ({
  type: 'object',
  ...(keys === undefined ? {} : { propertyNames: { pattern: keys } }),
  additionalProperties: values,
});
const rule = (name: string) => ({ $ref: `#/$defs/${name}` });
const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

export const OPENAPI_RULES = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  ...closed(
    {
      openapi: { type: 'string', pattern: '^3\\.1\\.\\d+$' },
      info: closed(
        {
          title: text,
          version: text,
          summary: text,
          description: text,
          license: closed({ name: text, identifier: text }, ['name']),
        },
        ['title', 'version'],
      ),
      paths: mapOf(rule('pathItem'), '^/'),
      webhooks: mapOf(rule('pathItem')),
      components: closed({ schemas: mapOf({ type: ['object', 'boolean'] }, '^[a-zA-Z0-9._-]+$') }),
    },
    ['openapi', 'info', 'paths'],
  ),
  $defs: {
    pathItem: closed({
      summary: text,
      description: text,
      parameters: { type: 'array', items: rule('parameter') },
      ...Object.fromEntries(METHODS.map((method) => [method, rule('operation')])),
    }),
    operation: closed(
      {
        operationId: text,
        summary: text,
        description: text,
        parameters: { type: 'array', items: rule('parameter') },
        requestBody: closed({ description: text, content: rule('content'), required: { type: 'boolean' } }, [
          'content',
        ]),
        responses: { ...mapOf(rule('response'), '^([1-5](\\d\\d|XX)|default)$'), minProperties: 1 },
      },
      ['responses'],
    ),
    parameter: {
      ...closed(
        {
          name: text,
          in: { enum: ['query', 'header', 'path', 'cookie'] },
          description: text,
          required: { type: 'boolean' },
          schema: { type: 'object' },
        },
        ['name', 'in', 'schema'],
      ),
      anyOf: [
        { properties: { in: { enum: ['query', 'header', 'cookie'] } } },
        { properties: { required: { const: true } }, required: ['required'] },
      ],
    },
    response: closed({ description: text, headers: mapOf(rule('header')), content: rule('content') }, [
      'description',
    ]),
    header: closed({ description: text, required: { type: 'boolean' }, schema: { type: 'object' } }, [
      'schema',
    ]),
    content: mapOf(closed({ schema: { type: 'object' } }, ['schema']), '^[a-z]+/[a-z.+-]+$'),
  },
};
