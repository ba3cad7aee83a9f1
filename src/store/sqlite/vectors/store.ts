import { MementorError } from "../../../errors.ts";
import type { ModelStore } from "../../store.ts";
import type { ActiveModel, SwitchOutcome } from "../../stored.ts";
import type { Connection } from "../connection/connection.ts";
import { removeMeta, writeMeta } from "../connection/connection.ts";
import { computeAccessPatterns } from "./access-patterns.ts";
import { activate, activeModel, addModel, requireModel, setActive } from "./models.ts";

/** The key in `meta` of the model that becomes active when its vectors are complete. */
const NEXT = "next_model";

/** Methods reject with `model_invalid` for a model that is not there, or that is in use and so cannot be removed. */
export function modelStore(connection: Connection): ModelStore {
  return {
    active: async () => publicly(activeModel(connection)),
    next: async () => publicly(nextModel(connection)),
    async list() {
      const [active, next] = [activeModel(connection)?.id, nextModel(connection)?.id];
      return connection
        .all<ActiveModel & { vectors: number; pending: number }>(
          `SELECT m.id, m.name, m.dimensions,
             (SELECT count(*) FROM chunk_bits b WHERE b.model_id = m.id) AS vectors,
             (SELECT count(*) FROM pending_vectors p WHERE p.model_id = m.id) AS pending
           FROM models m ORDER BY m.id`,
        )
        .map(({ id, name, dimensions, vectors, pending }) => {
          return { id: name, dimensions, active: id === active, next: id === next, vectors, pending };
        });
    },
    async add(model) {
      connection.transaction(() => {
        const added = addModel(connection, model);
        if (activeModel(connection) === null) activate(connection, added);
      });
    },
    activate: async (id) => connection.transaction(() => activate(connection, requireModel(connection, id))),
    async prepare(model) {
      connection.transaction(() => {
        const added = addModel(connection, model);
        if (activeModel(connection)?.id === added.id) removeMeta(connection, NEXT);
        else writeMeta(connection, NEXT, String(added.id));
      });
    },
    switchTo: async (id) => connection.transaction(() => switchTo(connection, id)),
    async remove(id) {
      connection.transaction(() => {
        const model = requireModel(connection, id);
        if (activeModel(connection)?.id === model.id) {
          throw new MementorError("model_invalid", `${id} is in use; activate another model first`);
        }
        if (nextModel(connection)?.id === model.id) removeMeta(connection, NEXT);
        connection.run("DELETE FROM models WHERE id = ?", model.id);
      });
    },
  };
}

function publicly(model: ActiveModel | null): { id: string; dimensions: number } | null {
  return model === null ? null : { id: model.name, dimensions: model.dimensions };
}

function nextModel(connection: Connection): ActiveModel | null {
  return connection.get<ActiveModel>(
    `SELECT m.id, m.name, m.dimensions FROM meta n JOIN models m ON m.id = CAST(n.value AS INTEGER)
     WHERE n.key = ?`,
    NEXT,
  );
}

function switchTo(connection: Connection, id: string): SwitchOutcome {
  const model = nextModel(connection);
  if (model?.name !== id) return "cancelled";
  const row = connection.get<{ missing: number }>(
    `SELECT EXISTS (SELECT 1 FROM pending_vectors WHERE model_id = ?1)
       OR EXISTS (SELECT 1 FROM pending_resources WHERE model_id = ?1) AS missing`,
    model.id,
  );
  if (row?.missing !== 0) return "pending";
  computeAccessPatterns(connection, model.id);
  setActive(connection, model);
  removeMeta(connection, NEXT);
  return "switched";
}
