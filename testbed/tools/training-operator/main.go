// The Kubeflow training operator without its webhooks. The operator's own program keeps the webhooks'
// certificates in one fixed folder below /tmp and waits for a Service that leads to it, which an operator
// outside of the cluster has not. The webhooks only check objects; what is reconciled is the same.
package main

import (
	"flag"
	"fmt"
	"os"

	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	"github.com/kubeflow/training-operator/pkg/config"
	controllers "github.com/kubeflow/training-operator/pkg/controller.v1"
	"github.com/kubeflow/training-operator/pkg/controller.v1/common"
	"k8s.io/client-go/kubernetes/scheme"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/healthz"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	metrics "sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

func main() {
	probe := flag.String("health-probe-bind-address", "127.0.0.1:8081", "where /readyz answers")
	flag.Parse() // controller-runtime has defined --kubeconfig
	ctrl.SetLogger(zap.New(zap.UseDevMode(true)))
	if err := run(*probe); err != nil {
		fmt.Fprintln(os.Stderr, "training-operator:", err)
		os.Exit(1)
	}
}

func run(probe string) error {
	if err := kubeflow.AddToScheme(scheme.Scheme); err != nil {
		return err
	}
	manager, err := ctrl.NewManager(ctrl.GetConfigOrDie(), ctrl.Options{
		Scheme:                 scheme.Scheme,
		Metrics:                metrics.Options{BindAddress: "0"},
		HealthProbeBindAddress: probe,
	})
	if err != nil {
		return err
	}
	setDefaults()
	for kind, setUp := range controllers.SupportedSchemeReconciler {
		if err := setUp(manager, common.GenNonGangSchedulerSetupFunc(), 1); err != nil {
			return fmt.Errorf("%s: %w", kind, err)
		}
	}
	if err := manager.AddReadyzCheck("readyz", healthz.Ping); err != nil {
		return err
	}
	return manager.Start(ctrl.SetupSignalHandler())
}

// What the operator's program sets from its flags.
func setDefaults() {
	config.Config.PyTorchInitContainerImage = config.PyTorchInitContainerImageDefault
	config.Config.PyTorchInitContainerTemplateFile = config.PyTorchInitContainerTemplateFileDefault
	config.Config.PyTorchInitContainerMaxTries = config.PyTorchInitContainerMaxTriesDefault
	config.Config.MPIKubectlDeliveryImage = config.MPIKubectlDeliveryImageDefault
}
