// Argument of type '(input: SalesOrderInput) => Evaluation' is not assignable to parameter of type
// Target signature provides too few arguments. Expected 1 or more, but got 0.
import { createEvaluator } from 'sales-order-intake';

/** As React declares it. */
declare function useState<State>(initial: State | (() => State)): [State, (next: State) => void];
export const [evaluate] = useState(createEvaluator());
