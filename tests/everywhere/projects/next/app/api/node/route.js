import { run } from '../../../program.mjs';

export async function GET(request) {
  return Response.json(await run(new URL(request.url).searchParams.get('base')));
}
