import { useEffect } from 'preact/hooks';
import { DemoNames } from '../form/demo-names.tsx';
import { QuestionForm } from '../form/question-form.tsx';
import type { PageView, WrittenQuestion } from '../parts/address.ts';
import { serviceFacts } from '../parts/service-facts.ts';

interface StartPageProps {
  readonly question: WrittenQuestion | undefined;
  readonly go: (view: PageView) => void;
}

export function StartPage({ question, go }: StartPageProps) {
  const { demo } = serviceFacts();
  useEffect(() => {
    document.title = 'DNS traversal';
  }, []);
  return (
    <div class="start">
      <h1>What does the DNS really say?</h1>
      <p class="lead">
        Resolvers pick one of a zone’s name servers and believe it. This asks all of them, from the root down,
        and tells how likely your users get which answer, and whose fault it is if they do not.
      </p>
      <QuestionForm question={question} go={go} />
      {demo !== undefined && <DemoNames names={demo} go={go} />}
      <ul class="points">
        <li>
          <h2>Every path</h2>
          <p>Every name server at every zone cut is asked, over IPv4 and IPv6.</p>
        </li>
        <li>
          <h2>Exact shares</h2>
          <p>Each end of a path comes with its exact probability, not with an impression from a few tries.</p>
        </li>
        <li>
          <h2>Who is to blame</h2>
          <p>
            Lame, dead and outdated servers are named, with what to do. Send the link to whoever runs them.
          </p>
        </li>
      </ul>
    </div>
  );
}
